import { ExamineStage } from '#schemas/dictionaries/sign-up'

/** Which list: first reviews to do, reviews done, second reviews to do, choices of another position to decide. */
export type ListKind = 'waiting' | 'done' | 'second' | 'move'

/** Stage and part of each list: what is counted above it is counted by the same two. */
export const fixed: Record<ListKind, { stage: 1 | 2 | 3; part: 'wait' | 'done' }> = {
  waiting: { stage: ExamineStage.first, part: 'wait' },
  done: { stage: ExamineStage.first, part: 'done' },
  second: { stage: ExamineStage.second, part: 'wait' },
  move: { stage: ExamineStage.reassignment, part: 'wait' },
}

/** The page of one sign-up, which knows the list it was opened from. */
export const reviewAddress = (id: string, kind: ListKind, search: string): string =>
  `/examine/info/${id}?stage=${fixed[kind].stage}${search ? `&${search}` : ''}`
