import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Field, fieldOf } from '#engine'
import { Message } from '#schemas/notifications/message'
import { Wechatbinding } from '#schemas/system/wechatbinding'
import type { ExportKind } from '../../../crud/export-kind.ts'
import { type WholeRow, wholeRows } from '../../../crud/whole-rows.ts'
import { readWords, type Words, wordOf } from '../../../crud/words.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { cleanName, distinctNames, streamZip, type ZipEntry } from '../../../platform/files/zip.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { wireDay, wireTime } from '../../../platform/http/server/wire.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { messagesFor } from '../../notifications/server/inbox.ts'
import { disclosureOf } from '../rules/disclosure.ts'
import { type CopiedKind, copyPage } from './copy-page.ts'
import { leadingIds, personalEntities, resourceFor } from './kinds.ts'
import { looksAt } from './looks.ts'
import { type KindOfData, kindsOfData } from './plan.ts'

/** How often one copy is downloaded, and for how many hours it is kept. */
export const copyLimits = { downloads: 3, hours: 72 } as const

/** Messages that one copy has at most, the latest. */
const mostMessages = 5000

/** A copy of one's own data: in which language its page is. */
interface CopyOrder {
  language: 'zh' | 'en'
}

/** Results that may be seen by now: their exam has begun to show them. */
async function shownResults(db: Live, userId: string, now: Date): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('result')
    .innerJoin('signup', 'signup.id', 'result.signupId')
    .innerJoin('examination', 'examination.id', 'result.examId')
    .select('result.id')
    .where('signup.userId', '=', userId)
    .where(eb => eb.or([eb('examination.resultTime', 'is', null), eb('examination.resultTime', '<=', now)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** A value as people read it. */
function shownValue(row: WholeRow, name: string, field: Field, words: ReadonlyMap<string, Words>): string {
  const value = row[name]
  if (value === '' || value === null || value === undefined) return ''
  const label = row[`${name}Name`]
  if (typeof label === 'string' && label !== '') return label
  if (field.kind === 'money') return (Number(value) / 100).toFixed(2)
  if (field.dict) return wordOf(words.get(field.dict), String(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What stands in the inbox of a person, in words. */
async function copiedMessages(app: FastifyInstance, person: Person, language: CopyOrder['language'], kind: KindOfData) {
  const lines = await messagesFor({ db: liveAs(app, person), app, person, language }, mostMessages)
  return {
    kind,
    fields: [
      { name: 'time', title: '时间' },
      { name: 'title', title: '标题' },
      { name: 'facts', title: '内容' },
    ],
    data: lines.map(({ time, title, facts }) => ({ time: wireTime(time), title, facts })),
    shown: lines.map(({ time, title, facts }) => [
      wireTime(time),
      title,
      facts.map(one => `${one.label}：${one.value}`).join('；'),
    ]),
  }
}

/** The WeChat that a person has bound. */
async function copiedBinding(app: FastifyInstance, person: Person, kind: KindOfData): Promise<CopiedKind> {
  const rows = await liveAs(app, person)
    .selectFrom('wechatbinding as b')
    .leftJoin(withRemoved('wechat as w'), 'w.id', 'b.wechatId')
    .select(['w.accountName', 'b.openid', 'b.bindTime'])
    .where('b.userId', '=', person.userId)
    .execute()
  const names = ['wechatId', 'openid', 'bindTime'] as const
  const data = rows.map(({ accountName, openid, bindTime }) => ({
    wechatId: accountName ?? '',
    openid: app.vault.open(openid),
    bindTime: wireTime(bindTime),
  }))
  return {
    kind,
    fields: names.map(name => ({ name, title: Wechatbinding.properties[name].title })),
    data,
    shown: data.map(one => names.map(name => one[name])),
  }
}

/** The rows of every kind that their person gets, read whole: nobody has so many that they would not fit. */
async function copiedKinds(app: FastifyInstance, person: Person, { language }: CopyOrder): Promise<CopiedKind[]> {
  const db = liveAs(app, person)
  const { tenantId, userId } = person
  const [led, kinds, results] = await Promise.all([
    leadingIds(db, userId),
    kindsOfData(db, userId),
    shownResults(db, userId, app.now()),
  ])
  const copied: CopiedKind[] = []
  for (const entity of personalEntities) {
    const resource = resourceFor(entity)
    const disclosed = resource && disclosureOf(resource)
    const kind = kinds.find(({ name }) => name === entity.name)
    if (kind && entity.name === Wechatbinding.name) copied.push(await copiedBinding(app, person, kind))
    if (kind && entity.name === Message.name) copied.push(await copiedMessages(app, person, language, kind))
    if (!resource || !disclosed || !kind) continue
    const fields = disclosed.fields.flatMap(name => {
      const field = fieldOf(entity, name)
      return field ? [{ name, field }] : []
    })
    const words = await readWords(
      app,
      tenantId,
      fields.map(({ field }) => field),
    )
    const wanted = { tenantId, resource, fields: disclosed.fields, where: disclosed.where }
    const rows: WholeRow[] = []
    for await (const row of wholeRows(app, { ...wanted, field: entity.about, ids: led(entity) }))
      if (entity.name !== 'result' || results.has(String(row.id))) rows.push(row)
    copied.push({
      kind,
      fields: fields.map(({ name, field }) => ({ name, title: field.title })),
      data: rows.map(row => Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? '']))),
      shown: rows.map(row => fields.map(({ name, field }) => shownValue(row, name, field, words))),
    })
  }
  return copied
}

/** Ids of the files that the copied rows name. */
function filesNamed(kinds: readonly CopiedKind[]): readonly string[] {
  const found = new Set<string>()
  const look = (value: unknown, isFile: boolean): void => {
    if (Array.isArray(value)) for (const one of value) look(one, isFile)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) look(one, name === 'attachId')
    else if (isFile && /^[0-9]{1,20}$/.test(String(value))) found.add(String(value))
  }
  for (const { kind, data } of kinds) {
    const entity = personalEntities.find(({ name }) => name === kind.name)
    for (const row of data)
      for (const [name, value] of Object.entries(row)) {
        const field = entity?.properties[name]
        look(value, field?.kind === 'image' || field?.kind === 'file')
      }
  }
  return [...found]
}

async function* copyEntries(app: FastifyInstance, person: Person, order: CopyOrder): AsyncGenerator<ZipEntry> {
  const { language } = order
  const now = app.now()
  const db = liveAs(app, person)
  const say = language === 'en' ? inEnglish : (text: string) => text
  const kinds = await copiedKinds(app, person, order)
  const looks = await looksAt(db, person.userId, { offset: 0, limit: 10_000 })
  const ids = filesNamed(kinds)
  const files =
    ids.length === 0
      ? []
      : await db
          .selectFrom('attach')
          .select(['id', 'name', 'originalName', 'contentType'])
          .where('id', 'in', [...ids])
          .execute()
  const once = distinctNames()
  const paths = files.map(file => ({ ...file, path: `files/${once(cleanName(file.originalName))}` }))
  const text = (name: string, body: string): ZipEntry => ({ name, time: now, open: async () => Buffer.from(body) })
  yield text('index.html', copyPage({ kinds, looks: looks.rows, files: paths, say, language, now }))
  const data = kinds.map(({ kind, fields, data: rows }) => ({
    name: kind.name,
    title: say(kind.title),
    purpose: say(kind.purpose),
    ground: say(kind.keep.ground),
    fields: fields.map(one => ({ ...one, title: say(one.title) })),
    rows,
  }))
  const fileList = paths.map(({ id, path, originalName }) => ({ id, path, originalName }))
  const whole = {
    time: wireTime(now),
    kinds: data,
    looks: looks.rows.map(one => ({ ...one, time: wireTime(one.time) })),
  }
  yield text('data.json', JSON.stringify({ ...whole, files: fileList }, null, 2))
  for (const { name, path, contentType } of paths)
    yield {
      name: path,
      time: now,
      compress: !/^(image\/|application\/(pdf|zip))/.test(contentType),
      // A file that is not there any more leaves an empty place, which its name explains.
      open: () => app.storage.get(name).catch(() => Buffer.alloc(0)),
    }
}

/** A copy of what is kept about a person, for that person alone. */
export const ownCopy: ExportKind<CopyOrder> = {
  name: 'ownData',
  atOnce: 0,
  hours: copyLimits.hours,
  isOwnData: true,
  access: () => ({ permission: 'my_info', url: '/api/blade-system/own-data/export' }),
  async count({ app, person }) {
    const kinds = await kindsOfData(liveAs(app, person), person.userId)
    return kinds.reduce((sum, one) => sum + one.count, 0)
  },
  async make({ app, person }, order, counted) {
    const bytes = streamZip(counted(copyEntries(app, person, order)))
    return { name: `我的数据_${wireDay(app.now())}.zip`, contentType: 'application/zip', bytes }
  },
}

/** The copies that a person has asked for, the latest first. */
export const ownCopies = (db: Live, userId: string) =>
  db
    .selectFrom('exporttask')
    .select(['id', 'taskStatus', 'failReason', 'createTime', 'keepUntil', 'downNum', 'fileId'])
    .where('createUser', '=', userId)
    .where('bizType', '=', ownCopy.name)
    .orderBy('id', 'desc')
    .limit(5)
    .execute()

/**
 * Takes one download of a copy: of two at once the last one that is allowed goes to one of them.
 * @returns the file, undefined when there is none of that person, or all downloads are used (`isUsed`)
 */
export async function takeDownload(db: Live, { id, userId, now }: { id: string; userId: string; now: Date }) {
  const own = db
    .selectFrom('exporttask')
    .innerJoin('attach', 'attach.id', 'exporttask.fileId')
    .select(['attach.name as key', 'attach.originalName', 'attach.attachSize', 'attach.contentType'])
    .where('exporttask.id', '=', id)
    .where('exporttask.createUser', '=', userId)
    .where('exporttask.bizType', '=', ownCopy.name)
    .where('exporttask.keepUntil', '>', now)
  const file = await own.executeTakeFirst()
  if (!file) return { file: undefined, isUsed: false }
  const { numUpdatedRows } = await db
    .updateTable('exporttask')
    .set({ downNum: sql<number>`coalesce("downNum", 0) + 1`, downTime: now })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce("downNum", 0) < ${copyLimits.downloads}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { file, isUsed: false } : { file: undefined, isUsed: true }
}
