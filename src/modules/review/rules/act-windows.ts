import { refuseSaying } from '../../../platform/http/server/refusal.ts'
import type { ActWindows } from '../../exams/rules/act-windows.ts'

/** When sign-ups are reviewed. */
export const reviewWindows = {
  decide: {
    until: {
      at: ({ exam }) => exam.examineEndTime,
      refusal: time => refuseSaying('review.closed', `审核已于${time}截止`),
    },
  },
} as const satisfies ActWindows
