// The SDK's module reports failures instead.
export default defineNitroPlugin(() => {})
