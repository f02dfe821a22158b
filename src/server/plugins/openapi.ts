import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'

/** Describes every call as OpenAPI, read from the routes themselves, with a page at `/api/docs`. */
export default fp(
  async app => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: '聚贤 Juxian', version: '0.1.0', description: '考试报名管理系统接口' },
        components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Blade-Auth' } } },
        security: [{ token: [] }],
      },
      hideUntagged: false,
    })
    await app.register(async scope => {
      scope.addHook('onRoute', route => {
        route.config = { ...route.config, access: 'public' }
      })
      await scope.register(swaggerUi, { routePrefix: '/api/docs' })
    })
  },
  { name: 'openapi' },
)
