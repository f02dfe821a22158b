import { type Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { type ActWindows, type Bound, resultPeriod } from '../../exams/rules/act-windows.ts'

const stageBegun = (refusal: (time: string, name: string) => Refusal): Bound => ({
  at: ({ stage }) => stage?.startTime,
  refusal: (time, { stage }) => refusal(time, stage?.itemName ?? ''),
})

/** When scores are entered, released and seen, and when a review of them is asked for. */
export const resultWindows = {
  enter: {
    from: stageBegun((time, name) => refuseSaying('row.wrongState', `「${name}」${time}才开考，开考前不能录入成绩`)),
  },
  release: {
    from: stageBegun((time, name) => refuseSaying('row.wrongState', `「${name}」${time}才开考，开考前不能发布成绩`)),
  },
  view: {
    from: {
      at: resultPeriod.from.at,
      refusal: time => refuseSaying('results.notReleased', `成绩${time}公布`),
    },
    until: {
      at: resultPeriod.until.at,
      refusal: time => refuseSaying('results.notReleased', `成绩查询已于${time}结束`),
    },
  },
  confirm: {
    until: {
      at: ({ stage }) => stage?.confirmEnd,
      refusal: time => refuse('results.confirmClosed', { 截止: time }),
    },
    unset: () => refuse('results.confirmNotAsked'),
  },
  appeal: {
    until: {
      at: ({ exam }) => exam.appealEndTime,
      refusal: time => refuseSaying('results.appealClosed', `复核申请已于${time}截止`),
    },
    unset: () => refuseSaying('results.appealClosed', '本次考试不受理成绩复核申请'),
  },
} as const satisfies ActWindows
