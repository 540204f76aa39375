import express, { Router } from 'express'
import sixpane, { reportTo } from 'sixpane/express'
import { route } from './route.js'

// The build replaces `process.env.SIXPANE_RELEASE`.
const options = { service: 'shop', release: process.env.SIXPANE_RELEASE }
const app = express()

app.get('/', (_request, response) => void response.send('ready'))
app.get('/route', route)
app.use('/middleware', () => {
  throw new Error('failed in middleware')
})

const router = Router()
router.get('/', (_request, _response, next) => {
  setTimeout(() => next(new Error('failed in router')))
})
app.use('/router', router)

app.get('/form', (_request, response) => {
  response.send('<form method="post"><button>Order</button></form>')
})
app.post('/form', () => {
  throw new Error('failed in form')
})

app.get('/stream', (_request, response, next) => {
  response.write('<p>first part</p>')
  setTimeout(() => next(new Error('failed in stream')), 100)
})

const ownPage = Router()
ownPage.get('/', () => {
  throw new Error('failed in own-page')
})
ownPage.use(reportTo(options), (_error, _request, response, _next) => {
  response.status(500).send(`<h1>Our shop is closed</h1><p>Digest: ${response.locals.digest}</p>`)
})
app.use('/own-page', ownPage)

app.use(sixpane(options))
app.listen(Number(process.env.PORT), '127.0.0.1')
