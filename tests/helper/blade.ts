import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { sm2 } from 'sm-crypto'
import { type Field, isParentField, type Kind, type Resource } from '#engine'
import { resources } from '#resources'
import { sendpackages } from '#resources/messages/sendpackages'
import { MenuCategory, UserType } from '#schemas/dictionaries'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'

/** A line of the table of calls that clients know. */
interface Call {
  method: 'GET' | 'POST'
  path: string
  kind: string
}

const table: readonly Call[] = readFileSync(`${process.cwd()}/tests/server/endpoints.tsv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [method, path = '', kind = ''] = line.split('\t')
    return { method: method as Call['method'], path, kind }
  })

type Row = Record<string, unknown>

const texts: Partial<Record<Kind, (field: Field) => unknown>> = {
  integer: () => 1,
  money: () => 100,
  decimal: () => '1',
  flag: () => 1,
  date: () => '2026-11-22',
  dateTime: () => '2026-11-22 09:00:00',
  ref: () => '1',
  refs: () => '1',
  image: () => '',
  file: () => '',
  json: () => '',
  secret: () => undefined,
}

/** A model of a process as such a server keeps it. */
const model = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><process id="leave" name="请假">
<startEvent id="start"/><sequenceFlow id="a" sourceRef="start" targetRef="end"/><endEvent id="end"/></process></definitions>`

const sampleOf = (field: Field, n: number): unknown => {
  if (field.title === 'BPMN XML') return model
  const make = texts[field.kind]
  return make ? make(field) : (field.enum?.[0] ?? `${field.title}${n}`)
}

/** Rows of a resource as a Blade server keeps them: strings and numbers, no words beside them, no nulls. */
function rowsOf({ entity }: Resource): Row[] {
  return [1, 2].map(n => {
    const fields = Object.entries(entity.properties).filter(([, field]) => !field.hidden)
    const own = fields.map(([name, field]) => [name, isParentField(entity, field) ? '0' : sampleOf(field, n)])
    const base = { id: String(n), tenantId: '000000', createTime: '2026-11-22 09:00:00', status: 1, isDeleted: 0 }
    return { ...base, ...Object.fromEntries(own) }
  })
}

const ok = (data: unknown = {}) => ({ code: 200, success: true, data, msg: '操作成功' })

/** The menu as an administrator of such a server has made it for our pages. */
const menuTree = (isCandidate: boolean, withButtons: boolean) => {
  const rows = menus
    .filter(one => one.code.startsWith('my_') === isCandidate && (withButtons || one.category === MenuCategory.menu))
    .map(one => ({
      ...one,
      id: one.code,
      parentId: one.parent ?? '0',
      action: one.action ?? 0,
      isOpen: 1,
      path: one.path ?? '',
    }))
  const below = (parent: string): Row[] =>
    rows
      .filter(row => row.parentId === parent)
      .map(row => {
        const children = below(row.id)
        return { ...row, ...(children.length > 0 && { children }) }
      })
  return below('0')
}

/** A picture as small as can be. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A tree as the calls for choices tell it: keys and titles. */
const options = (nodes: readonly Row[]): Row[] =>
  nodes.map(({ id, parentId, name, children }) => ({
    id,
    parentId,
    title: name,
    key: id,
    value: id,
    ...(Array.isArray(children) && { children: options(children) }),
  }))

/** Who may use the server: its one client, and its people with their kind (1 staff, 2 a candidate) and token. */
export const known = {
  client: 'saber:saber_secret',
  account: 'admin',
  password: 'admin',
  people: [
    { account: 'admin', userType: UserType.staff, token: 'blade' },
    { account: 'kaosheng', userType: UserType.candidate, token: 'blade-of-a-candidate' },
  ],
} as const
type Person = (typeof known.people)[number]

/** A Blade server for tests that knows the calls of the table and no others, and keeps everything in memory. */
export interface BladeServer {
  app: FastifyInstance
  /** The key for which it takes passwords; it has no call that tells it. */
  publicKey: string
  /** Calls that it did not know, `GET /blade-x/y`, in their order. */
  unknown: string[]
  /** What was sent to a call, bodies and addresses together, so far. */
  received(path: string): Row[]
  /** Answers all calls but those of the session in the same way, whatever they ask, until it is told to stop. */
  answerAll(way: Plain | undefined): void
}

/** An answer that is no envelope of this family. */
interface Plain {
  status: number
  type: string
  body: string
}

/** What the token call answers to somebody. */
export const sessionOf = ({ account, userType, token }: Person) => ({
  tenant_id: '000000',
  user_id: `112359882173867520${userType}`,
  dept_id: '1',
  post_id: '1',
  role_id: '1',
  account,
  user_name: account,
  nick_name: '管理员',
  real_name: '管理员',
  avatar: '',
  oauth_id: '',
  role_name: userType === UserType.candidate ? 'candidate' : 'administrator',
  userType,
  access_token: token,
  refresh_token: `again-${token}`,
  token_type: 'bearer',
  expires_in: 3600,
  detail: { type: 'web' },
})

const personOf = ({ headers }: FastifyRequest): Person | undefined =>
  known.people.find(({ token }) => headers['blade-auth'] === `bearer ${token}`)

/** A server as described above; nothing it keeps outlives it. */
export function bladeServer(): BladeServer {
  const app = Fastify({ exposeHeadRoutes: false })
  const { publicKey, privateKey } = sm2.generateKeyPairHex()
  const unknown: string[] = []
  const sent: { path: string; what: Row }[] = []
  let always: Plain | undefined
  const stores = new Map(resources.map(one => [`/api${one.path}`, rowsOf(one)]))
  const rowsAt = (path: string): Row[] => {
    const base = path.slice(0, path.lastIndexOf('/'))
    const found = stores.get(base) ?? []
    stores.set(base, found)
    return found
  }
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setNotFoundHandler((request, reply) => {
    unknown.push(`${request.method} ${request.url.split('?')[0]}`)
    return reply.code(404).send({ code: 404, success: false, data: {}, msg: '404 没找到请求' })
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || /oauth\/(token|captcha)|tenant\/info/.test(request.url)) return
    if (!personOf(request)) return reply.code(401).send({ code: 401, msg: '请求未授权', data: null })
  })
  app.addHook('onRequest', async (request, reply) => {
    const isOfSession = /blade-auth|menu\/(routes|buttons)|tenant\/info/.test(request.url)
    if (always && !isOfSession) return reply.code(always.status).type(always.type).send(always.body)
  })
  const token = (request: FastifyRequest) => {
    const asked = { ...(request.body as Row), ...(request.query as Row) }
    if (request.headers.authorization !== `Basic ${Buffer.from(known.client).toString('base64')}`)
      return { status: 401, body: { error_code: 401, error_description: '客户端认证失败!' } }
    const isAgain = asked.grant_type === 'refresh_token'
    const plain = isAgain ? '' : sm2.doDecrypt(String(asked.password), privateKey, 0)
    const person = known.people.find(one =>
      isAgain
        ? asked.refresh_token === `again-${one.token}`
        : asked.username === one.account && plain === known.password,
    )
    if (!person) return { status: 400, body: { error_code: 2002, error_description: '用户名或密码错误' } }
    return { status: 200, body: sessionOf(person) }
  }
  const kinds: Record<string, (request: FastifyRequest, path: string) => unknown> = {
    page(request, path) {
      const { current = '1', size = '10' } = request.query as Record<string, string>
      const records = rowsAt(path)
      return { records, total: records.length, size: Number(size), current: Number(current), pages: 1 }
    },
    list: (_request, path) => rowsAt(path),
    tree: (_request, path) => rowsAt(path),
    detail(request, path) {
      const { id, code } = request.query as Record<string, string>
      return rowsAt(path).find(row => row.id === id || row.code === code) ?? rowsAt(path)[0] ?? {}
    },
    submit(request, path) {
      const body = (request.body ?? {}) as Row
      const rows = rowsAt(path)
      const before = rows.find(row => row.id === body.id)
      if (before) Object.assign(before, body)
      else rows.push({ ...body, id: String(rows.length + 1) })
      return {}
    },
    remove(request, path) {
      const ids = String((request.query as Row).ids ?? '').split(',')
      const rows = rowsAt(path)
      for (const id of ids) rows.splice(0, rows.length, ...rows.filter(row => row.id !== id))
      return {}
    },
    upload: () => ({
      link: 'https://files.example.org/a.png',
      domain: 'https://files.example.org',
      name: 'a.png',
      originalName: 'a.png',
    }),
  }
  const keys = { menu: ['param'], dataScope: [], apiScope: [] }
  /** Answers whose shape is known: see what the open servers of this family answer. */
  const special: Record<string, (person: Person) => unknown> = {
    '/api/blade-system/menu/routes': ({ userType }) => menuTree(userType === UserType.candidate, false),
    '/api/blade-system/menu/buttons': ({ userType }) => menuTree(userType === UserType.candidate, true),
    '/api/blade-system/menu/top-menu': () => [],
    '/api/blade-system/menu/grant-tree': () => ({ menu: options(menuTree(false, true)), dataScope: [], apiScope: [] }),
    '/api/blade-system/menu/grant-top-tree': () => ({ menu: options(menuTree(false, false)) }),
    '/api/blade-system/menu/role-tree-keys': () => keys,
    '/api/blade-system/menu/top-tree-keys': () => keys,
    '/api/blade-system/menu/tree': () => options(menuTree(false, false)),
    '/api/blade-send/send/getSendPackages': () => rowsOf(sendpackages),
    '/api/blade-flow/process/history-flow-list': () => [],
    '/api/blade-flow/process/model-view': () => ({ xml: '', flow: [] }),
    '/api/blade-desk/process/leave/detail': () => ({
      id: '1',
      startTime: '2026-11-22 09:00:00',
      endTime: '2026-11-23 09:00:00',
      reason: '事假',
      flow: { assigneeName: '管理员' },
    }),
    '/api/blade-system/tenant/info': () => ({}),
    '/api/blade-system/user/info': person => ({
      ...sessionOf(person),
      id: sessionOf(person).user_id,
      name: '管理员',
      realName: '管理员',
      phone: '',
      email: '',
    }),
    '/api/blade-auth/oauth/captcha': () => ({ key: 'k', image: `data:image/png;base64,${onePixel}` }),
  }
  for (const { method, path, kind } of new Map(table.map(one => [`${one.method} ${one.path}`, one])).values()) {
    // The other server is reached without the prefix that a front proxy drops.
    app.route({
      method,
      url: path.replace(/^\/api/, ''),
      handler: async (request, reply) => {
        if (method === 'POST')
          sent.push({ path, what: { ...(request.query as Row), ...(request.body as Row | undefined) } })
        if (/oauth\/token(\/refresh)?$/.test(path)) {
          const { status, body } = token(request)
          return reply.code(status).send(body)
        }
        if (kind === 'export') return reply.type('application/vnd.ms-excel').send(Buffer.from('PK'))
        return ok(special[path]?.(personOf(request) ?? known.people[0]) ?? kinds[kind]?.(request, path) ?? {})
      },
    })
  }
  return {
    app,
    publicKey,
    unknown,
    answerAll(way) {
      always = way
    },
    received: path => sent.filter(one => one.path === `/api${path}`).map(one => one.what),
  }
}
