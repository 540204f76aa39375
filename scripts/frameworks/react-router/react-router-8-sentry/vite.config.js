import { reactRouter } from '@react-router/dev/vite'
import { sentryReactRouter } from '@sentry/react-router'
import { defineConfig } from 'vite'

const sentry = { release: { name: process.env.SENTRY_RELEASE }, telemetry: false }

export default defineConfig(config => ({ plugins: [reactRouter(), sentryReactRouter(sentry, config)] }))
