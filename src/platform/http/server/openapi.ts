import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { modules } from '#resources'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call takes that is checked elsewhere than by its schema. */
    describes?: FastifySchema
  }
}

/** Services that are no module's. */
const services: Readonly<Record<string, string>> = { 'blade-auth': '登录', public: '公开', pay: '支付通知' }

/** Title of the group that a call belongs to: the module that offers resources of the same service. */
function groupOf(url: string): string {
  const service = url.split('/')[2] ?? ''
  const module = modules.find(one => one.resources.some(({ path }) => path.split('/')[1] === service))
  return services[service] ?? module?.title ?? '其他'
}

/** Who reads what the calls are outside the demonstration: whoever builds on them. */
const access = { permission: 'code' } as const

/** Run in the browser: the page asks with the token of whoever is signed in there. */
function asSignedIn<Sent>(request: Sent): Sent {
  const token = localStorage.getItem('juxian-access-token')
  if (token) (request as { headers: Record<string, string> }).headers['Blade-Auth'] = `bearer ${token}`
  return request
}

/**
 * Describes every call as OpenAPI, read from the routes themselves, with a page at `/api/docs`. The page is the same everywhere;
 * what it shows is for everybody in the demonstration only.
 */
export default fp(
  async app => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: '聚贤 Juxian', version: '0.1.0', description: '考试报名管理系统接口' },
        components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Blade-Auth' } } },
        security: [{ token: [] }],
      },
      transform: ({ schema = {}, url, route }) => {
        const hide = !url.startsWith('/api/')
        const tags = schema.tags ?? [groupOf(url)]
        const security = route.config?.access === 'public' ? { security: [] } : {}
        return { url, schema: { ...schema, ...route.config?.describes, ...security, tags, hide } }
      },
    })
    await app.register(async scope => {
      scope.addHook('onRoute', route => {
        const isContent = /\/(json|yaml)$/.test(route.url)
        route.config = { ...route.config, access: isContent && !app.config.demo ? access : 'public' }
      })
      await scope.register(swaggerUi, {
        routePrefix: '/api/docs',
        theme: { title: '聚贤接口' },
        uiConfig: { docExpansion: 'none', filter: true, requestInterceptor: asSignedIn },
      })
    })
  },
  { name: 'openapi' },
)
