import { StartClient } from '@tanstack/react-start/client'
import { hydrateRoot } from 'react-dom/client'
import { watch } from 'sixpane/browser'

watch({ url: import.meta.env.VITE_SIXPANE_URL, service: 'shop', release: process.env.SIXPANE_RELEASE })

hydrateRoot(document, <StartClient />)
