import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { modules } from '#resources'
import { type Answered, answered, type Described, describeEndpoint, documented } from './description.ts'
import { titleOf } from './route-title.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call without a contract of its own takes and answers; it is checked elsewhere than by its schema. */
    describes?: Described
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

/** Name of a call that has none: its address and method. */
const nameOf = (url: string, method: string): string =>
  `${url.replace(/^\/api\//, '').replace(/[/:*]+/g, '.')}.${method.toLowerCase()}`

/** What is known of a call: from its contract or from its resource. */
function described({ url, method, config }: RouteOptions): Described {
  const name = String([method].flat()[0])
  if (config?.endpoint) return describeEndpoint(config.endpoint, name)
  return { operationId: nameOf(url, name), answer: null, ...config?.describes }
}

interface Operation {
  operationId?: string
  responses?: Record<string, { content?: object }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: object }
}

/** The schemas that answers refer to, by name. @throws when two that differ have one name */
function componentsOf(answers: Iterable<Answered>): Readonly<Record<string, object>> {
  const found = new Map<string, object>()
  for (const [name, schema] of [...answers].flatMap(({ components }) => Object.entries(components))) {
    const known = found.get(name) ?? schema
    if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two trees are called «${name}».`)
    found.set(name, schema)
  }
  return Object.fromEntries(found)
}

/**
 * Puts in what calls answer as it is: the maker of the document reads examples as schemas, and drops values named `nullable`.
 * @param answers by the names of the calls
 * @throws when two trees that differ have one name
 */
function withAnswers(document: Document, answers: ReadonlyMap<string, Answered>): Document {
  for (const { operationId = '', responses } of Object.values(document.paths).flatMap(one => Object.values(one))) {
    const answer = answers.get(operationId)
    if (answer && responses?.[200]) responses[200].content = answer.content
  }
  return { ...document, components: { ...document.components, schemas: componentsOf(answers.values()) } }
}

/** A call that is made by several methods or at several addresses has one name: its further operations get names of their own. */
function withUniqueNames(document: Document): Document {
  const known = new Set<string>()
  const paths = Object.entries(document.paths).map(([url, operations]) => {
    const named = Object.entries(operations).map(([method, operation]) => {
      const { operationId = '' } = operation
      const names = [operationId, `${operationId}.${method}`, nameOf(url, method)]
      const own = names.find(name => !known.has(name)) ?? operationId
      known.add(own)
      return [method, { ...operation, operationId: own }] as const
    })
    return [url, Object.fromEntries(named)] as const
  })
  return { ...document, paths: Object.fromEntries(paths) }
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
    const answers = new Map<string, Answered>()
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: '聚贤 Juxian',
          version: '0.1.0',
          description: '考试报名管理系统接口',
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: '/', description: '本服务器' }],
        components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Blade-Auth' } } },
        security: [{ token: [] }],
      },
      transformObject: given => {
        const document = (given as unknown as { openapiObject: Document }).openapiObject
        return withUniqueNames(withAnswers(document, answers)) as never
      },
      transform: ({ schema = {}, url, route }) => {
        const hide = !url.startsWith('/api/') || url.startsWith('/api/docs')
        const tags = schema.tags ?? [groupOf(url)]
        const security = route.config?.access === 'public' ? { security: [] } : {}
        const summary = schema.summary ?? titleOf(route).title
        const call = described(route)
        const about = documented(call)
        answers.set(call.operationId ?? '', answered(call))
        return { url, schema: { ...schema, summary, ...about, ...security, tags, hide } }
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
