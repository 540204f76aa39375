'use client'

export function Cart({ items }) {
  if (items === null) {
    throw new Error('failed in client')
  }
  return <p>{items.length}</p>
}
