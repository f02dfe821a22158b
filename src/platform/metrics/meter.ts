import type { LabelsOf, NameOf } from './table.ts'

/** A value of a gauge with its labels. */
export interface Reading<N extends NameOf<'gauge'>> {
  readonly labels: LabelsOf<N>
  readonly value: number
}

/** Where the program counts and measures. Nothing is kept where nobody asks for metrics. */
export interface Meter {
  /** Whether anybody may ask for metrics. */
  readonly isOn: boolean
  /** Adds to a counter; one by default. */
  count<N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void
  /** Notes how many seconds something took. */
  observe<N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number): void
  /**
   * Makes known how a gauge is read, which is done whenever somebody asks for metrics. Where that fails or takes longer than two
   * seconds the gauge is absent.
   */
  gauge<N extends NameOf<'gauge'>>(name: N, read: () => Promise<readonly Reading<N>[]>): void
}

declare module 'fastify' {
  interface FastifyInstance {
    meter: Meter
  }
}

/** Counts nothing. */
export const noMeter: Meter = { isOn: false, count: () => {}, observe: () => {}, gauge: () => {} }

/** Services outside. */
export type ChannelName = 'pay' | 'sms' | 'mail' | 'wechat' | 's3' | 'scan'

/** Does something and notes how long it took, whatever came of it. */
export async function timed<T>(meter: Meter, channel: ChannelName, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  try {
    return await work()
  } finally {
    meter.observe('channel_seconds', { channel }, (performance.now() - since) / 1000)
  }
}

/** A service outside whose calls are timed. */
export function timedCalls<T extends object>(meter: Meter, channel: ChannelName, service: T): T {
  if (!meter.isOn) return service
  return new Proxy(service, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const since = performance.now()
        const answer: unknown = value.apply(target, given)
        if (!(answer instanceof Promise)) return answer
        return answer.finally(() => meter.observe('channel_seconds', { channel }, (performance.now() - since) / 1000))
      }
    },
  })
}
