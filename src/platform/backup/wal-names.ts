// Places in PostgreSQL's log, and the files that hold it.

/** A place such as `16/B374D848` as a number of bytes. */
export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** A number of bytes as PostgreSQL writes it. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`

const hex8 = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** A file of the log: which timeline, and the how manieth it is. */
export interface Segment {
  readonly timeline: number
  readonly number: bigint
  /** Its end has not come yet. */
  readonly isPartial: boolean
}

/** What a file of the log is called. */
export function segmentName({ timeline, number }: Omit<Segment, 'isPartial'>, size: number): string {
  const perFile = 0x1_0000_0000n / BigInt(size)
  return `${hex8(timeline)}${hex8(number / perFile)}${hex8(number % perFile)}`
}

const segmentForm = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.partial)?$/

/** The file of the log that a name means; undefined for other names. */
export function segmentOf(name: string, size: number): Segment | undefined {
  const [, timeline, high, low, partial] = segmentForm.exec(name) ?? []
  if (!timeline || !high || !low) return undefined
  const number = BigInt(`0x${high}`) * (0x1_0000_0000n / BigInt(size)) + BigInt(`0x${low}`)
  return { timeline: Number.parseInt(timeline, 16), number, isPartial: partial !== undefined }
}

/** Whether a name is that of a file that says where timelines part. */
export const isHistory = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name)

/** What the history of a timeline is called. */
export const historyName = (timeline: number): string => `${hex8(timeline)}.history`
