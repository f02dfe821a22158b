/** What was observed under one set of labels. */
interface Series {
  /** Its labels as the text format has them. */
  readonly labels: string
  /** Observations up to each bound and above the one before it; those above all bounds come last. */
  readonly counts: number[]
  sum: number
}

/** A name, what it says, its labels and its upper bounds. */
interface About {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly bounds: readonly number[]
}

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')

/**
 * A histogram that is told of every statement and call. That of prom-client makes texts of the labels and of the bound each time, which
 * took more than one percent of the processor time of a call.
 */
export class Histogram {
  readonly #about: About
  readonly #all = new Map<string, Series>()

  constructor(about: About) {
    this.#about = about
    if (about.labels.length === 0) this.#begin('', {})
  }

  #begin(key: string, values: Readonly<Record<string, string>>): Series {
    const { labels, bounds } = this.#about
    const text = labels.map(name => `${name}="${escaped(values[name] ?? '')}"`).join(',')
    const series = { labels: text, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
    this.#all.set(key, series)
    return series
  }

  /** Adds an observation to those with the same labels. */
  observe(values: Readonly<Record<string, string>>, value: number): void {
    const { labels, bounds } = this.#about
    // A single value is its own key.
    let key = ''
    for (const name of labels) key = key === '' ? (values[name] ?? '') : `${key}\n${values[name]}`
    const series = this.#all.get(key) ?? this.#begin(key, values)
    let place = 0
    while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.sum += value
  }

  /** All observations in the text format of Prometheus 0.0.4. */
  text(): string {
    const { name, help, bounds } = this.#about
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
    for (const { labels, counts, sum } of this.#all.values()) {
      let count = 0
      for (const [place, more] of counts.entries()) {
        count += more
        const parts = [`le="${bounds[place] ?? '+Inf'}"`, labels].filter(Boolean)
        lines.push(`${name}_bucket{${parts.join(',')}} ${count}`)
      }
      const own = labels && `{${labels}}`
      lines.push(`${name}_sum${own} ${sum}`, `${name}_count${own} ${count}`)
    }
    return `${lines.join('\n')}\n`
  }
}
