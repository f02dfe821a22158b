import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { root } from '../../config/config.ts'
import { notFound, sendRefusal, wrongMethod } from './envelope.ts'
import { sendSignInPage } from './sign-in-page.ts'

/** Where the build puts the web application. */
const built = path.join(root, 'dist/web')

/** The sign-in page stands alone; every other address that is no file is the application's. */
const isSignIn = (url: string): boolean => /^\/login\/?(\?|$)/.test(url)

/** The name of a built file as it is asked for: the folder holds no others, and which are compressed is nobody's business. */
const isProgram = (name: string): boolean => /^\/[\w.-]+$/.test(name) && !name.endsWith('.br')

const isPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(api|assets)(\/|\?|$)/.test(url)

const callMethods = ['GET', 'POST'] as const

/** The methods for which there is a call at the address of a request that is there for none with its own. */
const methodsAt = (app: FastifyInstance, { url }: FastifyRequest): string[] => {
  const [path = ''] = url.split('?')
  if (!path.startsWith('/api/')) return []
  return callMethods.filter(method => app.findRoute({ method, url: path.replace(/\/$/, '') }) !== null)
}

interface Options {
  folder?: string
  /** What the sign-in page is told of the site; without it, the page asks by itself. */
  site?: () => Promise<unknown>
}

/** Serves the web application: files, compressed when they are built; any other address that is no call gets a page. */
export default fp<Options>(
  async (app, { folder = built, site = async () => undefined }) => {
    const isBuilt = existsSync(path.join(folder, 'index.html'))
    app.setNotFoundHandler((request, reply) => {
      const methods = methodsAt(app, request)
      if (methods.length > 0) return sendRefusal(reply.header('allow', methods.join(', ')), wrongMethod())
      if (!isBuilt || !isPage(request)) return sendRefusal(reply, notFound())
      if (!isSignIn(request.url)) return reply.header('cache-control', 'no-cache').sendFile('index.html')
      return sendSignInPage(request, reply, { file: path.join(folder, 'login.html'), facts: site })
    })
    if (!isBuilt) return
    // In a scope of its own: the plugin's routes do not know our rule that a route says who may call it.
    await app.register(async scope => {
      scope.addHook('onRoute', route => {
        route.config = { ...route.config, access: 'public' }
      })
      const options: FastifyStaticOptions = {
        root: folder,
        index: false,
        preCompressed: true,
        decorateReply: false,
        cacheControl: false,
        setHeaders: (reply, file) => {
          const hashed = path.relative(folder, file).startsWith('assets')
          reply.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        },
      }
      // Built programs are some hundred: a route for each, with all its hooks, would take megabytes.
      const [prefix, root] = ['/assets/', path.join(folder, 'assets')]
      await scope.register(fastifyStatic, { ...options, prefix, root, allowedPath: isProgram })
      await scope.register(fastifyStatic, {
        ...options,
        wildcard: false,
        globIgnore: ['assets/**', '**/*.br', '**/*.html'],
      })
    })
    await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
  },
  { name: 'static' },
)
