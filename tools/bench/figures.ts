/** What a figure of the bench has to be. */
export interface Figure {
  /** What is aimed at. */
  readonly asked: number
  /** The least, or of times the most, that fails nothing: some 20 % from what was measured last, so that a loss is seen. */
  readonly bound: number
  /** Times have a most, rates and ratios of rates a least. */
  readonly isTime?: true
  /** Why the bound is not what is aimed at, where it is worse. */
  readonly because?: string
}

/**
 * The figures that fail a bench: of plain calls the ratio of rates to the one by hand (`.p99` is that of the 99th percentile), of
 * sign-ins the number a second, the number that two processors would serve if the simulated people were elsewhere, and how long others
 * wait meanwhile; of a photo of 12 megapixels the milliseconds until it can be cropped and for which the page stands still, and until a
 * damaged one is said to be so.
 */
export const figures = {
  page: { asked: 10, bound: 3.9, because: 'the total is kept, but each call asks who calls and what he may see' },
  'page.p99': { asked: 0.5, bound: 0.5, isTime: true },
  filtered: { asked: 2, bound: 0.62, because: 'totals of filters are counted, as by hand, and the calls are checked' },
  detail: { asked: 1, bound: 0.78, because: 'session and rights are read from the database for each call' },
  create: {
    asked: 0.9,
    bound: 0.38,
    because: 'rights and rules are looked at first, and the call is noted in the journal',
  },
  'create.p99': {
    asked: 1.5,
    bound: 2.7,
    isTime: true,
    because: 'what comes before and after the row is part of each call',
  },
  mix: { asked: 4, bound: 2.66, because: 'made up of the calls above' },
  'mix.p99': { asked: 1, bound: 0.3, isTime: true },
  signIns: { asked: 90, bound: 60, because: 'those who sign in are simulated on the same two processors' },
  'signIns.served': {
    asked: 90,
    bound: 75,
    because:
      'half of it is the hash of the password, which takes 7 to 12 ms of a processor from one machine to another',
  },
  'signIns.others': {
    asked: 30,
    bound: 45,
    isTime: true,
    because: 'they share the two processors with the hashes of passwords',
  },
  photo: { asked: 3000, bound: 3000, isTime: true },
  'photo.frozen': { asked: 50, bound: 50, isTime: true },
  'photo.damaged': { asked: 2000, bound: 2000, isTime: true },
} as const satisfies Readonly<Record<string, Figure>>

/** A figure that fails a bench. */
export type FigureName = keyof typeof figures

const isWorse = (value: number, limit: number, isTime?: true): boolean => (isTime ? value > limit : !(value >= limit))

/**
 * Compares what was measured with the bounds.
 * @param known by default the figures of the bench
 * @returns a sentence for each figure that is beyond its bound, or no number
 */
export function beyond<N extends string = FigureName>(
  measured: Readonly<Partial<Record<N, number>>>,
  known: Readonly<Record<N, Figure>> = figures as never,
): string[] {
  return Object.entries<number>(measured as Readonly<Record<string, number>>).flatMap(([name, value]) => {
    const { asked, bound, isTime } = known[name as N]
    if (!Number.isNaN(value) && !isWorse(value, bound, isTime)) return []
    return [`${name} is ${value.toFixed(2)}: ${isTime ? 'at most' : 'at least'} ${bound} holds, ${asked} is asked for`]
  })
}

/** Figures whose bound is worse than what is aimed at and that do not say why. */
export const unexplained = (known: Readonly<Record<string, Figure>> = figures): string[] =>
  Object.entries(known).flatMap(([name, { asked, bound, isTime, because }]) =>
    isWorse(bound, asked, isTime) && !because ? [name] : [],
  )
