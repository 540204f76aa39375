import { createRequestHandler } from 'react-router'
import * as build from './build/server/index.js'
import { serve } from './view/serve.mjs'

serve(createRequestHandler(build, 'production'))
