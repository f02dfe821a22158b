import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { root } from '../config.ts'
import { notFound, sendRefusal } from './envelope.ts'

/** Where the build puts the web application. */
const built = path.join(root, 'dist/web')

/** The page of an address that is no file: the sign-in page stands alone, everything else is the application. */
const pageOf = (url: string) => (/^\/login\/?(\?|$)/.test(url) ? 'login.html' : 'index.html')

const isPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(api|assets)(\/|\?|$)/.test(url)

/** Serves the web application: files, compressed when they are built; any other address that is no call gets a page. */
export default fp<{ folder?: string }>(
  async (app, { folder = built }) => {
    const isBuilt = existsSync(path.join(folder, 'index.html'))
    app.setNotFoundHandler((request, reply) => {
      if (!isBuilt || !isPage(request)) return sendRefusal(reply, notFound())
      return sendPage(request, reply)
    })
    if (!isBuilt) return
    // In a scope of its own: the plugin's routes do not know our rule that a route says who may call it.
    await app.register(async scope => {
      scope.addHook('onRoute', route => {
        route.config = { ...route.config, access: 'public' }
      })
      await scope.register(fastifyStatic, {
        ...{
          root: folder,
          index: false,
          wildcard: false,
          preCompressed: true,
          decorateReply: false,
          cacheControl: false,
        },
        globIgnore: ['**/*.br', '**/*.html'],
        setHeaders: (reply, file) => {
          const hashed = path.relative(folder, file).startsWith('assets')
          reply.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        },
      })
    })
    await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
  },
  { name: 'static' },
)

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile(pageOf(request.url))
}
