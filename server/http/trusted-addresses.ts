import { BlockList, isIP, isIPv6 } from 'node:net'
import { withoutPort } from './client-address.ts'

/**
 * Returns a function that checks whether an address is in one of these ranges. The address may have a port, and is
 * `undefined` if the connection is closed.
 * @param ranges addresses and CIDR ranges
 */
export function trustedAddresses(ranges: readonly string[]): (address: string | undefined) => boolean {
  // A list would also find IPv4 addresses in ranges such as ::1/64, because it treats them as IPv6 addresses.
  const [v4, v6] = [new BlockList(), new BlockList()]
  const listFor = (address: string) => (/^(?:::ffff:)?[\d.]+$/i.test(address) ? v4 : v6)
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) listFor(address).addAddress(address, familyOf(address))
    else listFor(address).addSubnet(address, Number(prefix), familyOf(address))
  }
  return (given = '') => {
    const address = withoutPort(given)
    return isIP(address) !== 0 && listFor(address).check(address, familyOf(address))
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
