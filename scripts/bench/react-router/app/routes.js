import { route } from '@react-router/dev/routes'

export default [route('dashboard', 'routes/dashboard.jsx')]
