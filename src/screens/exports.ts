import { useSyncExternalStore } from 'react'
import type { AnswerOf } from '#engine'
import { TaskStatus } from '#schemas/dictionaries/platform'
import { call } from '../platform/http/browser/call.ts'
import { exportNews } from '../platform/workbook/contract.ts'

/** An export that is made in the background, as the person who asked for it is told of it. */
export type ExportTask = AnswerOf<typeof exportNews>[number]

/** Milliseconds between two questions while something is being made; without that nothing is asked. */
const AGAIN = 3000

const listeners = new Set<() => void>()
let tasks: readonly ExportTask[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether an export is still to come. */
export const isUnderWay = ({ taskStatus }: ExportTask): boolean => taskStatus < TaskStatus.done

/** Asks what became of the person's exports, now and again while one is under way. Failures are silent: the list tells all. */
export async function askExports(): Promise<void> {
  clearTimeout(timer)
  try {
    tasks = await call(exportNews, {}, { pass: 'all' })
  } catch {
    return
  }
  for (const listener of listeners) listener()
  if (listeners.size > 0 && tasks.some(isUnderWay)) timer = setTimeout(() => void askExports(), AGAIN)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/** The person's exports that are under way, or ended and not looked at yet. */
export function useExports(): readonly ExportTask[] {
  return useSyncExternalStore(subscribe, () => tasks)
}
