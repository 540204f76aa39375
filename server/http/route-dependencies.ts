/** The plugins that protect every route. Plugins with routes depend on these, and therefore cannot be registered first. */
export const routeDependencies = ['headers', 'cross-site', 'authentication']
