/*
 * The yardstick: what a person would write for one table with Fastify and pg, doing the same SQL for the same answers. It
 * knows neither callers nor permissions, so the product does more work for each request than this.
 */
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({
  ...(JSON.parse(process.env.CONNECTION ?? '{}') as pg.PoolConfig),
  ...{ max: 20, options: '-c timezone=Asia/Shanghai' },
})
const app = Fastify()

interface Row {
  [column: string]: string | number | null
}

const columns = `id::text, "tenantId", status, "isDeleted", "paramName", "paramKey", "paramValue", remark,
  "createUser"::text, "createDept"::text, to_char("createTime", 'YYYY-MM-DD HH24:MI:SS') AS "createTime",
  "updateUser"::text, to_char("updateTime", 'YYYY-MM-DD HH24:MI:SS') AS "updateTime",
  (SELECT u."realName" FROM "user" u WHERE u.id = param."createUser") AS "createUserName",
  (SELECT d."deptName" FROM dept d WHERE d.id = param."createDept") AS "createDeptName",
  (SELECT u."realName" FROM "user" u WHERE u.id = param."updateUser") AS "updateUserName"`

const wire = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? '']))
const answer = (data: object) => ({ code: 200, success: true, data, msg: '操作成功' })

type Query = Record<'current' | 'size' | 'paramName' | 'createTime_dategt' | 'createTime_datelt' | 'id', string>

app.get('/api/blade-system/param/page', async request => {
  const query = request.query as Partial<Query>
  const size = Math.min(Number(query.size ?? 10), 500)
  const current = Number(query.current ?? 1)
  const values: unknown[] = ['000000']
  let where = `WHERE "tenantId" = $1 AND "isDeleted" = 0`
  if (query.paramName) where += ` AND "paramName" ILIKE $${values.push(`%${query.paramName}%`)}`
  if (query.createTime_dategt) where += ` AND "createTime" >= $${values.push(query.createTime_dategt)}`
  if (query.createTime_datelt) where += ` AND "createTime" <= $${values.push(query.createTime_datelt)}`
  const order = `ORDER BY "createTime" DESC, id DESC LIMIT ${size} OFFSET ${(current - 1) * size}`
  const [page, count] = await Promise.all([
    pool.query<Row>(`SELECT ${columns} FROM param ${where} ${order}`, values),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM param ${where}`, values),
  ])
  const total = count.rows[0]?.total ?? 0
  return answer({ records: page.rows.map(wire), total, size, current, pages: Math.ceil(total / size) })
})

app.get('/api/blade-system/param/detail', async (request: FastifyRequest) => {
  const { id } = request.query as Partial<Query>
  const text = `SELECT ${columns} FROM param WHERE id = $1 AND "tenantId" = '000000' AND "isDeleted" = 0`
  const { rows } = await pool.query<Row>({ name: 'detail', text, values: [id] })
  return answer(wire(rows[0] ?? {}))
})

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const body = {
  type: 'object',
  required: ['paramName', 'paramKey', 'paramValue'],
  properties: { paramName: text(100), paramKey: { ...text(100), pattern: '^[a-z0-9._-]+$' }, paramValue: text(10_000) },
}

app.post('/api/blade-system/param/submit', { schema: { body } }, async request => {
  const { paramName, paramKey, paramValue } = request.body as Record<string, string>
  await pool.query({
    name: 'submit',
    text: `INSERT INTO param ("tenantId", "paramName", "paramKey", "paramValue", "createUser", "createTime", "updateUser", "updateTime")
      VALUES ('000000', $1, $2, $3, 1, now(), 1, now()) RETURNING id`,
    values: [paramName, paramKey, paramValue],
  })
  return answer({})
})

app.listen({ port: 0, host: '127.0.0.1' }).then(address => console.log(address))
