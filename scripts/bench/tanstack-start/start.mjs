import application from './dist/server/server.js'
import { serve } from './view/serve.mjs'

serve(request => application.fetch(request))
