import { isBundle } from '../stacks/file-location.ts'

/** The name that a function has in every build, or `null` where the compiler may have chosen it. */
export function stableName(functionName: string | null, file: string): string | null {
  if (functionName === null || isBundle(file)) return null
  if (file.endsWith('.go')) return goName(functionName)
  if (/\.(?:java|kts?|scala|groovy|clj)$/.test(file)) return jvmName(functionName)
  const name = lastPart(functionName.replace(/^new /, ''))
  if (/\.(?:py|cs)$/.test(file)) return name
  return name.length <= 2 || name === '<anonymous>' ? null : name
}

/** `example.com/shop/cart.(*Cart).Total[...].func2.1` → `cart.(*Cart).Total`: functions without a name are counted. */
function goName(name: string): string {
  const generic = name.indexOf('[')
  const plain = generic < 0 ? name : name.slice(0, generic)
  return plain.replace(/^.*\//, '').replace(/(?:\.(?:func|gowrap|deferwrap)?\d+|-fm)+$/, '')
}

/** `com.shop.Cart.lambda$total$0` → `total`: lambdas are counted over the class. */
function jvmName(name: string): string {
  return lastPart(name)
    .replace(/^(?:lambda|\$anonfun)\$/, '')
    .replace(/\$\d+$/, '')
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
