import { commaList } from '#engine'
import type { Db } from '../../../../platform/access/server/caller.ts'
import { type Appointment, changeOf, coverOf, granted, type Place, type Span, unitsOf } from '../../rules/exam-staff.ts'
import { optionText } from '../../rules/sign-text.ts'
import { loadDicts } from '../candidate/dictionaries.ts'
import { type Line, linesOf, placesOf } from './lines.ts'
import { appointable } from './people.ts'
import { type Appointing, lockStaff, openLines, writeChange } from './write.ts'

/** An appointment that was not taken over, or not as a whole, and why. */
interface Left {
  userName: string
  examRole: number
  msg: string
}

/** What a copy did. */
interface Copied {
  /** Appointments written. */
  copied: number
  /** Appointments that the exam had already. */
  same: number
  left: Left[]
}

interface Around {
  places: readonly Place[]
  usable: ReadonlyMap<string, string>
  /** The name of a unit. */
  unitName: (unit: string) => string
}

/** An appointment cut to the units and positions of the exam it goes to, and what fell off; null for all of it. */
interface Fitted {
  units: readonly string[] | null
  codes: string | null
  lost: string
}

function fitted(line: Line, { places, unitName }: Around): Fitted | string {
  const [units, codes] = [unitsOf(places), new Set(places.map(place => place.code))]
  const lostUnits = commaList(line.units).filter(unit => !units.includes(unit))
  const lostCodes = commaList(line.codes).filter(code => !codes.has(code))
  const keptUnits = commaList(line.units).filter(unit => units.includes(unit))
  const keptCodes = commaList(line.codes).filter(code => codes.has(code))
  // Nothing left must not become "all": that is what an empty list means.
  if (line.units && keptUnits.length === 0) return '负责的单位都不在本考试中'
  if (line.codes && keptCodes.length === 0) return '负责的岗位都不在本考试中'
  const lost = [
    ...(lostUnits.length ? [`单位不在本考试中：${lostUnits.map(unitName).join('、')}`] : []),
    ...(lostCodes.length ? [`岗位不在本考试中：${lostCodes.join('、')}`] : []),
  ]
  return { units: line.units ? keptUnits : null, codes: keptCodes.join(',') || null, lost: lost.join('；') }
}

/** The appointments of one person and role with another one added; the same list when they say it already. */
function joined(own: readonly Appointment[], line: Line, fit: Fitted, span: Span, places: readonly Place[]) {
  const units = fit.units?.join(',') ?? null
  if (fit.codes) {
    const isThere = own.some(one => (one.units ?? '') === (units ?? '') && one.codes === fit.codes)
    return isThere ? own : [...own, { id: null, userId: line.userId, units, codes: fit.codes, ...span }]
  }
  if (!fit.units) return own.some(one => !one.units && !one.codes) ? own : granted(own, line.userId, null, span, places)
  const missing = fit.units.filter(unit => coverOf(own, unit, places) !== 'full')
  return missing.length ? granted(own, line.userId, missing, span, places) : own
}

/** One role's appointments of the other exam put to those of this one. */
function merge(before: readonly Appointment[], lines: readonly Line[], span: Span, around: Around) {
  const [after, left] = [new Map<string, readonly Appointment[]>(), [] as Left[]]
  const counts = { copied: 0, same: 0 }
  for (const line of lines) {
    const told = { userName: around.usable.get(line.userId) ?? line.userName ?? '', examRole: line.examRole }
    const fit = around.usable.has(line.userId) ? fitted(line, around) : '账号已停用或不再有后台角色'
    if (typeof fit === 'string') {
      left.push({ ...told, msg: fit })
      continue
    }
    const own = after.get(line.userId) ?? before.filter(one => one.userId === line.userId)
    const next = joined(own, line, fit, span, around.places)
    after.set(line.userId, next)
    counts[next === own ? 'same' : 'copied']++
    if (fit.lost) left.push({ ...told, msg: fit.lost })
  }
  const others = before.filter(one => !after.has(one.userId))
  return { after: [...others, ...[...after.values()].flat()], left, counts }
}

async function around(trx: Db, examId: string, lines: readonly Line[]): Promise<Around> {
  const places = await placesOf(trx, examId)
  const usable = await appointable(trx, [...new Set(lines.map(line => line.userId))])
  const dicts = await loadDicts(trx, ['recruit_unit'])
  return { places, usable, unitName: unit => optionText(dicts.recruit_unit, unit) || unit }
}

/**
 * Takes over the staff of another exam, all roles, as far as the units and positions are there and the people may still
 * be appointed. What the exam has stays; the other exam's times are not taken over, because they are over.
 * @param from the other exam; the caller has to see it
 * @throws exams.notFound, exams.archived
 */
export async function takeOver(db: Db, by: Appointing, from: string, span: Span): Promise<Copied> {
  return db.transaction().execute(async trx => {
    await lockStaff(trx, by.examId, true)
    const source = (await linesOf(trx, from)).filter(line => line.enable === 1)
    const own = await linesOf(trx, by.examId)
    const known = await around(trx, by.examId, source)
    const done: Copied = { copied: 0, same: 0, left: [] }
    for (const examRole of new Set(source.map(line => line.examRole))) {
      const before = openLines(own, examRole, by.now)
      const lines = source.filter(line => line.examRole === examRole)
      const { after, left, counts } = merge(before, lines, span, known)
      await writeChange(trx, by, examRole, changeOf(before, after), known.usable)
      done.copied += counts.copied
      done.same += counts.same
      done.left.push(...left)
    }
    return done
  })
}
