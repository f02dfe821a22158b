import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { resourceOf } from '../../../../crud/lookup.ts'
import type { Query } from '../../../../crud/read.ts'
import { growTree, readTree } from '../../../../crud/tree.ts'
import { dictionary, tenantDictionary } from '../../../../screens/contract.ts'
import { optionNode } from '../../../access/server/menus.ts'
import type { Live } from '../../../database/live.ts'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { ok } from '../../../http/server/envelope.ts'
import { liveAs, liveIn } from '../../../http/server/live.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { type Sent, sent, serve } from '../../../http/server/serve.ts'
import { dictionaryList, dictionaryTree, tenantDictionaryList, tenantDictionaryTree } from '../../contract.ts'

type Table = 'dict' | 'dict_biz'

/** Dictionaries that clients know by another name: the levels of places. */
const secondNames: Readonly<Record<string, string>> = { region: 'region_level' }

/** Dictionaries that a page before the login needs. */
const publicCodes = ['nation', 'education', 'id_type', 'sex']

async function readEntries(db: Live, table: Table, code: string, isAll: boolean) {
  return db
    .selectFrom(table)
    .select(['id', 'parentId', 'code', 'dictKey', 'dictValue', 'sort', 'isSealed', 'remark'])
    .where('code', '=', code)
    .where('parentId', 'is not', null)
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
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Sent> {
  const { code: asked = '', all } = request.query as { code?: string; all?: string }
  const code = secondNames[asked] ?? asked
  if (!request.person && !publicCodes.includes(code)) throw refuse('request.unauthenticated')
  const tenantId = request.person?.tenantId ?? askedTenant(request)
  const db = liveIn(app, tenantId)
  const rows = await readEntries(db, table, code, all === '1')
  const entries = rows.length > 0 ? rows : await readEntries(db, otherOf[table], code, all === '1')
  const data = entries.map(row => ({ ...row, remark: row.remark ?? '' }))
  return sent(sendTagged(request, reply, data))
}

/** Clients do not always know which of the two a dictionary is. */
const otherOf: Record<Table, Table> = { dict: 'dict_biz', dict_biz: 'dict' }

const readRows = (db: Live, table: Table) => db.selectFrom(table).selectAll().orderBy('sort').orderBy('id').execute()

/** The calls of each kind of dictionary. */
const calls = {
  dict: { words: dictionary, tree: dictionaryTree, list: dictionaryList },
  dict_biz: { words: tenantDictionary, tree: tenantDictionaryTree, list: tenantDictionaryList },
} as const

/** Words for keys, of the installation and of tenants. */
export default async function dictRoutes(app: FastifyInstance): Promise<void> {
  for (const table of ['dict', 'dict_biz'] as const) {
    const { words, tree, list } = calls[table]
    serve(app, words, async ({ request, reply }) => sendDictionary(app, table, request, reply))
    serve(app, tree, async ({ request }) => {
      const rows = await readRows(liveAs(app, person(request)), table)
      const nodes = rows.map(row => optionNode(row.id, row.parentId, row.dictValue))
      return growTree(nodes, 'parentId', 'id')
    })
    serve(app, list, async ({ request }) => {
      const read = { app, person: person(request), resource: resourceOf(table.replace('_', '-')) }
      return (await readTree(read, request.query as Query)) as never
    })
  }
}
