import { wireTime } from '../http/server/wire.ts'

/** The line that every export carries: who took it, when, and what for where that is asked. */
export const takenBy = ({ name }: { name: string }, now: Date, purpose = ''): string =>
  `导出人：${name}　导出时间：${wireTime(now)}${purpose && `　用途：${purpose}`}`
