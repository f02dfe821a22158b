import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Query } from '../../../../crud/query.ts'
import { resourceOf } from '../../../../crud/scope.ts'
import { growTree, readTree } from '../../../../crud/tree.ts'
import { optionNode } from '../../../access/server/menus.ts'
import { type Person, person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { ok } from '../../../http/server/envelope.ts'
import { refuse } from '../../../http/server/refusal.ts'

type Table = 'dict' | 'dict_biz'

/** Dictionaries that clients know by another name: the levels of places. */
const secondNames: Readonly<Record<string, string>> = { region: 'region_level' }

/** Dictionaries that a page before the login needs. */
const publicCodes = ['nation', 'education', 'id_type', 'sex']

interface Asked {
  code?: string
  all?: string
}

async function readEntries(app: FastifyInstance, table: Table, code: string, tenantId: string, isAll: boolean) {
  return app.db
    .selectFrom(table)
    .select(['id', 'parentId', 'code', 'dictKey', 'dictValue', 'sort', 'isSealed', 'remark'])
    .where('code', '=', code)
    .where('parentId', 'is not', null)
    .where('isDeleted', '=', 0)
    .$if(table === 'dict_biz', query => query.where('tenantId', '=', tenantId))
    .$if(!isAll, query => query.where('isSealed', '=', 0))
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

/** Answers with a tag of the content, so that a client that has it already gets nothing. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const tag = `"${createHash('sha1').update(JSON.stringify(data)).digest('base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(ok(data))
}

async function sendDictionary(
  app: FastifyInstance,
  table: Table,
  request: FastifyRequest<{ Querystring: Asked }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { code: asked = '', all } = request.query
  const code = secondNames[asked] ?? asked
  if (!request.person && !publicCodes.includes(code)) throw refuse('request.unauthenticated')
  const tenantId = request.person?.tenantId ?? askedTenant(request)
  const rows = await readEntries(app, table, code, tenantId, all === '1')
  const entries = rows.length > 0 ? rows : await readEntries(app, otherOf[table], code, tenantId, all === '1')
  return sendTagged(
    request,
    reply,
    entries.map(row => ({ ...row, remark: row.remark ?? '' })),
  )
}

/** Clients do not always know which of the two a dictionary is. */
const otherOf: Record<Table, Table> = { dict: 'dict_biz', dict_biz: 'dict' }

const readRows = (app: FastifyInstance, table: Table, { tenantId }: Person) =>
  app.db
    .selectFrom(table)
    .selectAll()
    .where('isDeleted', '=', 0)
    .$if(table === 'dict_biz', query => query.where('tenantId', '=', tenantId))
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** Services `blade-system/dict` and `blade-system/dict-biz`: words for keys. */
export default async function dictRoutes(app: FastifyInstance): Promise<void> {
  for (const table of ['dict', 'dict_biz'] as const) {
    const path = `/api/blade-system/${table.replace('_', '-')}`
    const keepers = { config: { access: { permission: table } } } as const
    app.get<{ Querystring: Asked }>(`${path}/dictionary`, { config: { access: 'public' } }, (request, reply) =>
      sendDictionary(app, table, request, reply),
    )
    app.get(`${path}/tree`, keepers, async request => {
      const rows = await readRows(app, table, person(request))
      const nodes = rows.map(row => optionNode(row.id, row.parentId, row.dictValue))
      return ok(growTree(nodes, 'parentId', 'id'))
    })
    app.get<{ Querystring: Query }>(`${path}/list`, keepers, async request =>
      ok(
        await readTree({ app, person: person(request), resource: resourceOf(table.replace('_', '-')) }, request.query),
      ),
    )
  }
}
