/*
 * The yardstick: what a person would write for two tables with Fastify and pg, doing the same SQL for the same answers. It
 * knows neither callers nor permissions and keeps no log of calls, so the product does more work for each request than this.
 */
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  ItemRange,
  PayState,
  PostStatus,
  ReduceState,
  ReleaseStatus,
  ReviewStatus,
  SeatStatus,
  SignStatus,
  UnreadyReason,
} from '../../schemas/dictionaries.ts'

const pool = new pg.Pool({
  ...(JSON.parse(process.env.CONNECTION ?? '{}') as pg.PoolConfig),
  max: 20,
  options: '-c timezone=Asia/Shanghai',
})
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)
const app = Fastify()

interface Row {
  [column: string]: unknown
}

const time = (name: string) => `to_char(s."${name}", 'YYYY-MM-DD HH24:MI:SS') AS "${name}"`
const userName = (name: string) => `(SELECT u."realName" FROM "user" u WHERE u.id = s."${name}") AS "${name}Name"`

/** Why a sign-up keeps the seats of a stage from being drawn. */
const unready = `(SELECT min(CASE
    WHEN s."reduceState" IN (${ReduceState.choosing}, ${ReduceState.pending}) THEN ${UnreadyReason.choosing}
    WHEN s.examine = ${ExamineStatus.pending} THEN ${UnreadyReason.review}
    WHEN s.examine = ${ExamineStatus.approved} AND e."examineMode" = ${ExamineMode.firstAndSecond}
      AND s."reviewStatus" IN (${ReviewStatus.pending}, ${ReviewStatus.returned}) THEN ${UnreadyReason.recheck}
    WHEN s.examine = ${ExamineStatus.returned} AND coalesce(e."modifyEndTime" > now(), true) THEN ${UnreadyReason.correcting}
    WHEN i."needPay" = 1 AND i.fee > 0 AND s.examine = ${ExamineStatus.approved}
      AND (e."examineMode" <> ${ExamineMode.firstAndSecond} OR s."reviewStatus" = ${ReviewStatus.approved})
      AND (p."payState" = ${PayState.due} OR p.id IS NULL
        AND coalesce(e."payEndTime" + coalesce(e."graceSeconds", 0) * interval '1 second' > now(), true)) THEN ${UnreadyReason.payment}
    END)
  FROM examination e
  JOIN examitems o ON o."examId" = e.id AND o.code = coalesce(s."finalCode", s.code) AND o."isDeleted" = 0
  JOIN examinationitem i ON i."examId" = e.id AND i."isDeleted" = 0
  LEFT JOIN payrecord p ON p."signupId" = s.id AND p."itemId" = i.id AND p."isDeleted" = 0
  WHERE e.id = s."examId" AND s."signStatus" = ${SignStatus.submitted} AND o."postStatus" <> ${PostStatus.cancelled}
    AND i.id::text = ANY (string_to_array(o."itemIds", ',')) AND i."needSeat" = 1 AND i."itemStatus" = ${EnableStatus.enabled}
    AND i."seatStatus" < ${SeatStatus.locked} AND i."endTime" > now()
    AND (i."candidateRule" = ${ItemRange.allValid} OR i."candidateRule" = ${ItemRange.shortlisted} AND EXISTS (
      SELECT FROM result r WHERE r."signupId" = s.id AND r."isNext" = 1 AND r."resultStatus" = ${ReleaseStatus.released} AND r."itemId" = (
        SELECT q.id FROM examinationitem q WHERE q."examId" = e.id AND q."itemStatus" = ${EnableStatus.enabled}
          AND q."startTime" < i."startTime" ORDER BY q."startTime" DESC LIMIT 1))))`

/** Whether a sign-up waits for a review by whoever asks. */
const isMine = `(s."signStatus" = ${SignStatus.submitted} AND s.examine = ${ExamineStatus.pending}
  AND EXISTS (SELECT FROM examuser x WHERE x."examId" = s."examId" AND x."userId" = 1 AND x."isDeleted" = 0))::int`

const columns = `s.id::text, s."tenantId", s.status, s."isDeleted", s.version, s."examId"::text,
  (SELECT e."examName" FROM examination e WHERE e.id = s."examId") AS "examIdName",
  s.province, s.city, s.area, s.code, s.type, s.unit, s.code2, s.type2, s.unit2, s.examine, s."examineRemark",
  ${time('examineTime')}, s."userId"::text, ${userName('userId')}, s.name, s."idCardMask" AS "idCard",
  s."phoneMask" AS phone, s.sex, s.birthday, s.photo::text, s."signNo", s."signStatus", ${time('submitTime')},
  s."submitCount", s."examineUser"::text, ${userName('examineUser')}, s."reviewStatus", s."reviewRemark",
  s."reviewUser"::text, ${userName('reviewUser')}, ${time('reviewTime')}, s."adjustAccept", s."reduceState",
  s."finalUnit", s."finalType", s."finalCode", s.education, s.degree, s."payState", coalesce((SELECT e."ticketStatus" FROM examinationticket e WHERE e."signupId" = s.id AND e."isDeleted" = 0
    ORDER BY e.id DESC LIMIT 1), 0) AS "ticketState", ${time('consentTime')}, s."cancelReason",
  coalesce((SELECT CASE k."userId" WHEN 1 THEN 2 ELSE 1 END FROM signup_strike k WHERE k."signupId" = s.id AND s."signStatus" = ${SignStatus.submitted}), 0) AS "strikeAsked",
  w.reason AS unready, (w.reason IS NOT NULL)::int AS "isUnready", ${isMine} AS "isMine",
  s."createUser"::text, ${userName('createUser')}, s."createDept"::text,
  (SELECT d."deptName" FROM dept d WHERE d.id = s."createDept") AS "createDeptName", ${time('createTime')},
  s."updateUser"::text, ${userName('updateUser')}, ${time('updateTime')}`

const wire = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? '']))
const answer = (data: object) => ({ code: 200, success: true, data, msg: '操作成功' })

const postColumns = `s.id::text, s."tenantId", s.status, s."isDeleted", s.category,
  (ARRAY['高层', '中层', '基层', '其他'])[s.category] AS "categoryName", s."postCode", s."postName", s.sort, s.remark,
  s."createUser"::text, ${userName('createUser')}, s."createDept"::text,
  (SELECT d."deptName" FROM dept d WHERE d.id = s."createDept") AS "createDeptName", ${time('createTime')},
  s."updateUser"::text, ${userName('updateUser')}, ${time('updateTime')}`

interface List {
  table: string
  columns: string
  /** What each row is joined with to work them out. */
  beside?: string
  /** The column that is searched by part, and the order of the list. */
  part: string
  order: string
}

type Query = Readonly<Record<string, string | undefined>>

async function readPage({ table, columns: list, beside = '', part, order }: List, query: Query) {
  const size = Math.min(Number(query.size ?? 10), 500)
  const current = Number(query.current ?? 1)
  const values: unknown[] = ['000000']
  let where = `WHERE s."tenantId" = $1 AND s."isDeleted" = 0`
  if (query[part]) where += ` AND s."${part}" ILIKE $${values.push(`%${query[part]}%`)}`
  if (query.createTime_dategt) where += ` AND s."createTime" > $${values.push(query.createTime_dategt)}`
  if (query.createTime_datelt) where += ` AND s."createTime" < $${values.push(query.createTime_datelt)}`
  const cut = `ORDER BY s."${order}" DESC${order === 'createTime' ? '' : ' NULLS LAST'}, s.id DESC LIMIT ${size} OFFSET ${(current - 1) * size}`
  const [page, count] = await Promise.all([
    pool.query<Row>(`SELECT ${list} FROM (SELECT * FROM ${table} s ${where} ${cut}) s ${beside}`, values),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${table} s ${where}`, values),
  ])
  const total = count.rows[0]?.total ?? 0
  return answer({ records: page.rows.map(wire), total, size, current, pages: Math.ceil(total / size) })
}

const signups: List = {
  table: 'signup',
  columns,
  beside: `CROSS JOIN LATERAL (SELECT ${unready} AS reason) w`,
  part: 'name',
  order: 'submitTime',
}
const posts: List = { table: 'post', columns: postColumns, part: 'postName', order: 'createTime' }

app.get('/api/blade-signup/signup/page', request => readPage(signups, request.query as Query))
app.get('/api/blade-system/post/page', request => readPage(posts, request.query as Query))

app.get('/api/blade-system/post/detail', async (request: FastifyRequest) => {
  const { id } = request.query as Query
  const text = `SELECT ${postColumns} FROM post s WHERE s.id = $1 AND s."tenantId" = '000000' AND s."isDeleted" = 0`
  const { rows } = await pool.query<Row>({ name: 'detail', text, values: [id] })
  return answer(wire(rows[0] ?? {}))
})

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const body = {
  type: 'object',
  required: ['category', 'postCode', 'postName', 'sort'],
  properties: {
    category: { type: 'integer', enum: [1, 2, 3, 4] },
    postCode: text(30),
    postName: text(64),
    sort: { type: 'integer', minimum: 0 },
    remark: { type: 'string', maxLength: 255 },
  },
}

app.post('/api/blade-system/post/submit', { schema: { body } }, async request => {
  const { category, postCode, postName, sort, remark } = request.body as Row
  await pool.query({
    name: 'submit',
    text: `INSERT INTO post ("tenantId", category, "postCode", "postName", sort, remark, "createUser", "createTime",
      "updateUser", "updateTime") VALUES ('000000', $1, $2, $3, $4, $5, 1, now(), 1, now()) RETURNING id`,
    values: [category, postCode, postName, sort, remark],
  })
  return answer({})
})

app.listen({ port: 0, host: '127.0.0.1' }).then(address => console.log(address))
