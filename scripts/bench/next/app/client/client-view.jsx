'use client'

import { View } from '../../view/view.jsx'

export function ClientView({ content }) {
  return <View content={content} />
}
