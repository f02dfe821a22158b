import type { t as translate } from '../../../../platform/i18n/i18n.ts'
import type { RoomPlace } from '../../check-in/contract.ts'
import type { ConflictReason } from '../../rules/attendance.ts'
import type { Verdict } from './scan.ts'

type T = typeof translate

/** Why somebody is let in late; nobody has to type at a door. */
export const lateReasons = ['已按时入场，当时漏登记', '考务组同意入场'] as const
/** Why a note is taken back. */
export const undoReasons = ['点错人', '证件与本人不符', '其他原因'] as const
/** How somebody broke the rules. */
export const breachReasons = ['携带手机等违禁物品', '抄袭或传递答案', '扰乱考场秩序', '其他违纪'] as const

/** The address of a door: for the real check-in, or for a rehearsal. */
export const doorPath = (roomId: string, rehearsal: boolean): string =>
  `/ticket/checkin/${roomId}${rehearsal ? '?rehearsal=1' : ''}`

/** A room in words: number, site, classroom. */
export const placeText = ({ roomNo, schoolName, roomName }: RoomPlace): string =>
  [roomNo, schoolName, roomName].filter(Boolean).join(' · ')

/** What a verdict that lets nobody in means, and what to do. */
export function verdictText(verdict: Exclude<Verdict, { kind: 'person' }>, t: T): { title: string; hint: string } {
  const texts: Record<Exclude<Verdict['kind'], 'person' | 'otherRoom'>, readonly [string, string]> = {
    foreign: ['不是准考证二维码', '请扫描准考证上的二维码。'],
    forged: ['无效：二维码被改动或伪造', '请核对身份证件，并报告考点负责人。'],
    otherExam: ['不是本场考试的准考证', '请考生核对考试名称和日期。'],
    void: ['准考证已作废', '如已补发，请考生出示新的准考证。'],
    stale: ['准考证已失效', '座位重新编排过，请考生重新下载准考证。'],
    unlisted: ['不在本考场名单', '请更新名单后再试，仍不在时联系考务组。'],
    nobody: ['没有找到', '请输入座位号或完整的准考证号。'],
  }
  if (verdict.kind !== 'otherRoom') {
    const [title, hint] = texts[verdict.kind]
    return { title: t(title), hint: t(hint) }
  }
  const { room, seat } = verdict
  return { title: t('走错考场'), hint: t('应到：{{room}}，座位 {{seat}}', { room: placeText(room), seat }) }
}

/** Why a note was not taken as it stands. */
export function conflictText(reason: ConflictReason, t: T): string {
  const texts: Record<ConflictReason, string> = {
    unknown: '不是您的考场，未登记',
    forged: '二维码无效，未登记',
    stale: '准考证已失效，未登记',
    void: '准考证已作废，未登记',
    twice: '重复签到，以较早的一次为准',
    arrived: '已签到，不能登记缺考',
    early: '入场尚未截止，未登记缺考',
    late: '已过最迟入场时间，未登记',
    closed: '不在签到时间内，未登记',
    over: '演练的登记，正式签到已开放，未登记',
  }
  return t(texts[reason])
}
