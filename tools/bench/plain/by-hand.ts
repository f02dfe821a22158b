/*
 * The yardstick of the plain calls: one table by hand with Fastify and pg, as well as one would write it. A token is signed, so
 * that nobody asks the database who calls; statements are prepared; a page is found in an index and counted in one alone; a body
 * meets a compiled schema and an answer is written by one. The table is its own (`yard.device`), without triggers.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({
  ...(JSON.parse(process.env.CONNECTION ?? '{}') as pg.PoolConfig),
  max: 20,
  options: '-c timezone=Asia/Shanghai',
})
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)
const app = Fastify()

const key = process.env.TOKEN_KEY ?? ''

app.addHook('onRequest', async (request, reply) => {
  const [, payload = '', signature = ''] = /^bearer (.+)\.(.+)$/.exec(request.headers.authorization ?? '') ?? []
  const right = createHmac('sha256', key).update(payload).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== right.length || !timingSafeEqual(given, right)) return reply.code(401).send()
  const { until } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { until: number }
  if (until < Date.now()) return reply.code(401).send()
})

const time = (name: string) => `coalesce(to_char(s."${name}", 'YYYY-MM-DD HH24:MI:SS'), '') AS "${name}"`
const text = (name: string) => `coalesce(s."${name}"::text, '') AS "${name}"`
const plain = (names: readonly string[]) => names.map(name => `s."${name}"`).join(', ')

const columns = `s.id::text, s."tenantId", s.status, s."isDeleted", ${plain(['deviceNo', 'deviceName', 'kind', 'grade'])},
  s."deptId"::text, coalesce(d."deptName", '') AS "deptIdName", ${plain(['model', 'maker'])}, ${text('serialNo')},
  ${plain(['quantity', 'power', 'price'])}, trim_scale(s.weight)::text AS weight, ${plain(['width', 'height', 'depth', 'bought'])},
  ${text('warranty')}, ${time('checkTime')}, ${plain(['keeper', 'contact', 'place', 'barcode', 'isSpare'])}, ${text('note')},
  ${text('remark')}, ${text('createUser')}, coalesce(c."realName", '') AS "createUserName", ${text('createDept')},
  coalesce(b."deptName", '') AS "createDeptName", ${time('createTime')}, ${text('updateUser')},
  coalesce(u."realName", '') AS "updateUserName", ${time('updateTime')}`

const joins = `LEFT JOIN dept d ON d.id = s."deptId" LEFT JOIN "user" c ON c.id = s."createUser"
  LEFT JOIN dept b ON b.id = s."createDept" LEFT JOIN "user" u ON u.id = s."updateUser"`

const numbers = [
  'status',
  'isDeleted',
  'kind',
  'grade',
  'quantity',
  'power',
  'price',
  'width',
  'height',
  'depth',
  'isSpare',
]
const texts = `id tenantId deviceNo deviceName deptId deptIdName model maker serialNo weight bought warranty checkTime keeper contact
  place barcode note remark createUser createUserName createDept createDeptName createTime updateUser updateUserName updateTime`
const row = {
  type: 'object',
  properties: Object.fromEntries([
    ...texts.split(/\s+/).map(name => [name, { type: 'string' }]),
    ...numbers.map(name => [name, { type: 'integer' }]),
  ]),
}
const integer = { type: 'integer' }
const answering = (data: object) => ({
  response: {
    200: {
      type: 'object',
      properties: { code: integer, success: { type: 'boolean' }, data, msg: { type: 'string' } },
    },
  },
})
const answer = (data: object) => ({ code: 200, success: true, data, msg: '操作成功' })

interface PageQuery {
  current: number
  size: number
  kind?: number
  bought_ge?: string
  bought_le?: string
}

const page = {
  type: 'object',
  properties: {
    records: { type: 'array', items: row },
    total: integer,
    size: integer,
    current: integer,
    pages: integer,
  },
}
const pageQuery = {
  type: 'object',
  properties: {
    current: { type: 'integer', minimum: 1, default: 1 },
    size: { type: 'integer', minimum: 1, maximum: 500, default: 10 },
    kind: integer,
    bought_ge: { type: 'string', format: 'date' },
    bought_le: { type: 'string', format: 'date' },
  },
}

app.get<{ Querystring: PageQuery }>(
  '/api/blade-exam/device/page',
  { schema: { querystring: pageQuery, ...answering(page) } },
  async ({ query: { current, size, kind, bought_ge, bought_le } }) => {
    const values: unknown[] = ['000000']
    let where = `s."tenantId" = $1 AND s."isDeleted" = 0`
    if (kind !== undefined) where += ` AND s.kind = $${values.push(kind)}`
    if (bought_ge) where += ` AND s.bought >= $${values.push(bought_ge)}`
    if (bought_le) where += ` AND s.bought <= $${values.push(bought_le)}`
    const shape = `${kind !== undefined} ${Boolean(bought_ge)} ${Boolean(bought_le)}`
    const cut = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const order = 'ORDER BY s."createTime" DESC, s.id DESC'
    const [rows, count] = await Promise.all([
      pool.query({
        name: `page ${shape}`,
        text: `SELECT ${columns} FROM (SELECT * FROM yard.device s WHERE ${where} ${order} ${cut}) s ${joins} ${order}`,
        values: [...values, size, (current - 1) * size],
      }),
      pool.query<{ total: number }>({
        name: `count ${shape}`,
        text: `SELECT count(*)::int AS total FROM yard.device s WHERE ${where}`,
        values,
      }),
    ])
    const total = count.rows[0]?.total ?? 0
    return answer({ records: rows.rows, total, size, current, pages: Math.ceil(total / size) })
  },
)

app.get<{ Querystring: { id: string } }>(
  '/api/blade-exam/device/detail',
  {
    schema: {
      querystring: { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^\\d{1,19}$' } } },
      ...answering(row),
    },
  },
  async ({ query: { id } }, reply) => {
    const { rows } = await pool.query({
      name: 'detail',
      text: `SELECT ${columns} FROM yard.device s ${joins} WHERE s.id = $1 AND s."tenantId" = '000000' AND s."isDeleted" = 0`,
      values: [id],
    })
    return rows[0] ? answer(rows[0]) : reply.code(404).send({})
  },
)

const words = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const maybe = (maxLength: number) => ({ type: 'string', maxLength })
const from = (minimum: number, maximum = 2_147_483_647) => ({ type: 'integer', minimum, maximum })
const body = {
  type: 'object',
  required:
    `deviceNo deviceName kind grade deptId model maker quantity power price weight width height depth bought checkTime keeper
    contact place barcode`.split(/\s+/),
  properties: {
    deviceNo: words(30),
    deviceName: words(60),
    kind: { type: 'integer', enum: [1, 2, 3, 4, 5, 6] },
    grade: { type: 'integer', enum: [1, 2, 3, 4] },
    deptId: { type: 'string', pattern: '^\\d{1,19}$' },
    model: words(40),
    maker: words(60),
    serialNo: maybe(40),
    quantity: from(1, 10000),
    power: from(0, 100_000),
    price: from(0),
    weight: { type: 'string', pattern: '^\\d{1,16}(\\.\\d{1,4})?$' },
    width: from(0),
    height: from(0),
    depth: from(0),
    bought: { type: 'string', format: 'date' },
    warranty: { type: 'string', format: 'date' },
    checkTime: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' },
    keeper: words(30),
    contact: words(30),
    place: words(100),
    barcode: words(40),
    isSpare: { type: 'integer', enum: [0, 1] },
    note: { type: 'string' },
    remark: maybe(255),
  },
}
const given = Object.keys(body.properties)
const insertion = `INSERT INTO yard.device ("tenantId", "createUser", "createTime", "updateUser", "updateTime",
    ${given.map(name => `"${name}"`).join(', ')})
  VALUES ('000000', 1, now(), 1, now(), ${given.map((_, i) => `$${i + 1}`).join(', ')})`

app.post<{ Body: Record<string, unknown> }>(
  '/api/blade-exam/device/submit',
  { schema: { body, ...answering({ type: 'object', additionalProperties: true }) } },
  async (request, reply) => {
    try {
      await pool.query({ name: 'insert', text: insertion, values: given.map(name => request.body[name] ?? null) })
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === '23505' || code === '23503') return reply.code(409).send({})
      throw error
    }
    return answer({})
  },
)

app.listen({ port: 0, host: '127.0.0.1' }).then(address => console.log(address))
