import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { mediaTypes } from '#engine'
import type { Person } from '../platform/http/server/access.ts'

/** Who takes an export: with the scope of now, also when the file is made long after it was asked for. */
export interface Taker {
  app: FastifyInstance
  person: Person
}

/** Passes rows on and counts them: progress, and the number of rows in the register. */
export type Counted = <T>(rows: AsyncIterable<T>) => AsyncIterable<T>

/** A file that is made while it is read. */
export interface MadeFile {
  /** With its ending. */
  name: string
  contentType: string
  bytes: Readable
}

/**
 * One kind of export. Its order is JSON: what the caller wished for, in a form that another process can make the file from.
 * Whatever depends on the person or the time is looked up when the file is made.
 */
export interface ExportKind<Order extends object = object> {
  readonly name: string
  /** Most rows that are sent with the answer; of more the file is made in the background. */
  readonly atOnce: number
  /** Hours for which the file is kept; as long as the tenant keeps files of exports where nothing is said. */
  readonly hours?: number
  /** It holds what is kept about whoever asks for it: a candidate is told that it is there, not staff that an export is. */
  readonly isOwnData?: true
  /** The permission and the address of the call: asked once more when the file is made in the background. */
  access(order: Order): { permission: string; url: string }
  /**
   * Rows that the taker may take, counted no further than `most`.
   * @throws input.invalid for an order that is not understood, and what else forbids it
   */
  count(taker: Taker, order: Order, most?: number): Promise<number>
  /** Begins the file; `counted` must be put around the rows. */
  make(taker: Taker, order: Order, counted: Counted): Promise<MadeFile>
}

/** How an export stands in the register. */
export interface Entry {
  /** The resource or business it is about. */
  bizType: string
  /** What people call it. */
  title: string
  /** What was asked for, as people may read it. */
  params: Readonly<Record<string, unknown>>
  /** True when it holds personal data in full. */
  sensitive?: boolean
  reason?: string
}

/** The type of workbooks. */
export const workbookType: string = mediaTypes.xlsx
