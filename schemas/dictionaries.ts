import type { Dictionary } from '#engine'
import * as administration from './dictionaries/administration.ts'
import * as exam from './dictionaries/exam.ts'
import * as pay from './dictionaries/pay.ts'
import * as platform from './dictionaries/platform.ts'
import * as publicity from './dictionaries/publicity.ts'
import * as signUp from './dictionaries/sign-up.ts'

export * from './dictionaries/administration.ts'
export * from './dictionaries/exam.ts'
export * from './dictionaries/pay.ts'
export * from './dictionaries/platform.ts'
export * from './dictionaries/publicity.ts'
export * from './dictionaries/sign-up.ts'

/** Every dictionary of the product: the system's own and the first rows of a tenant's business dictionaries. */
export const dictionaries: readonly Dictionary[] = [administration, exam, signUp, pay, publicity, platform].flatMap(
  part => Object.values<object>(part).filter((one): one is Dictionary => 'entries' in one),
)
