import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Counter, Gauge } from 'prom-client'
import { Histogram } from './histogram.ts'
import { type Meter, noMeter } from './meter.ts'
import { type Metrics, metrics, type NameOf } from './table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Listens for those who ask for metrics, where METRICS_PORT says so.
     * @returns the address at which they are answered; null without one
     * @throws when it is taken
     */
    serveMetrics(): Promise<string | null>
  }
  interface FastifyContextConfig {
    /** Name of the counter in which its calls are counted by their outcome, without `_total`. */
    counted?: string
  }
}

/** Counters whose only label is the outcome of a call. */
type CallCounter = {
  [N in NameOf<'counter'>]: Metrics[N]['labels'] extends readonly ['outcome'] ? N : never
}[NameOf<'counter'>]
const isCallCounter = (name: string): name is CallCounter => {
  const { kind, labels = [] } = metrics[name as keyof Metrics] ?? {}
  return kind === 'counter' && labels.join() === 'outcome'
}

/** The counter of a call. @throws when there is none of that name */
function counterOf(counted: string): CallCounter {
  const name = `${counted}_total`
  if (!isCallCounter(name)) throw new Error(`No counter of calls is called ${name}.`)
  return name
}

/** Sets of labels of the calls that are told apart; what comes after goes under one route. */
const mostRoutes = 180
/** Milliseconds in which a gauge must be read. */
const patience = 2000
/** Gauges of the library whose names say that they count. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

const prefix = 'juxian_'

/** Milliseconds between two samples of the event loop's delay. Each costs some 50 µs of a processor, also while nothing is asked. */
const eventLoopMonitoringPrecision = 20

/** All that is counted and measured. */
interface Figures {
  /** What the text is. */
  readonly contentType: string
  text(): Promise<string>
  clear(): void
}

/** Counts and measures with prom-client, which is read only where metrics are asked for. */
async function openMeter(): Promise<{ meter: Meter; figures: Figures }> {
  const client = await import('prom-client')
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision })
  for (const name of misnamed) registry.removeSingleMetric(prefix + name)
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { kind, help, labels, ...rest }] of Object.entries(metrics)) {
    const about = { name: prefix + name, help }
    if (kind === 'counter')
      counters.set(name, new client.Counter({ ...about, labelNames: [...labels], registers: [registry] }))
    // A gauge is known once somebody says how it is read.
    if ('buckets' in rest) histograms.set(name, new Histogram({ ...about, labels, bounds: rest.buckets }))
  }
  const meter: Meter = {
    isOn: true,
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, seconds) => histograms.get(name)?.observe(labels, seconds),
    gauge(name, read) {
      const { help, labels } = metrics[name]
      const made: Gauge = new client.Gauge({
        name: prefix + name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          const late = sleep(patience, [], { ref: false })
          const readings = await Promise.race([read(), late]).catch(() => [])
          made.reset()
          if (labels.length === 0 && readings.length === 0) made.remove()
          for (const reading of readings) made.set(reading.labels, reading.value)
        },
      })
    },
  }
  const figures: Figures = {
    contentType: registry.contentType,
    text: async () => [await registry.metrics(), ...[...histograms.values()].map(one => one.text())].join('\n'),
    clear: () => registry.clear(),
  }
  return { meter, figures }
}

/** Measures every call, and counts those that say of which counter they are. */
function measureCalls(app: FastifyInstance, meter: Meter): void {
  const known = new Set<string>()
  const methods = ['GET', 'POST', 'HEAD', 'OPTIONS']
  app.addHook('onResponse', ({ method: given, routeOptions }, { raw, elapsedTime }, done) => {
    // A call that was answered past its hooks has its status there alone.
    const status = `${Math.floor(raw.statusCode / 100)}xx`
    const method = methods.includes(given) ? given : 'other'
    const name = routeOptions.url ?? 'none'
    const key = `${name} ${method} ${status}`
    const isTold = known.has(key) || known.size < mostRoutes
    if (isTold) known.add(key)
    meter.observe('http_seconds', { route: isTold ? name : 'other', method, status }, elapsedTime / 1000)
    const { counted } = routeOptions.config
    const outcome = raw.statusCode < 400 ? 'done' : raw.statusCode < 500 ? 'refused' : 'failed'
    if (counted) meter.count(counterOf(counted), { outcome })
    done()
  })
}

/** Answers those who ask for metrics, apart from everybody else's calls. */
function answering(figures: Figures): http.Server {
  return http.createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    figures.text().then(
      text => response.writeHead(200, { 'content-type': figures.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}

/** Decorates the app with its meter. */
export default fp(
  async app => {
    const { metricsPort, metricsHost, dataDir } = app.config
    if (metricsPort === undefined) {
      app.decorate('meter', noMeter)
      app.decorate('serveMetrics', async () => null)
      return
    }
    const { meter, figures } = await openMeter()
    app.decorate('meter', meter)
    measureCalls(app, meter)
    meter.gauge('disk_bytes', async () => {
      const { blocks, bsize } = await statfs(dataDir)
      return [{ labels: {}, value: blocks * bsize }]
    })
    meter.gauge('disk_free_bytes', async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return [{ labels: {}, value: bavail * bsize }]
    })
    const server = answering(figures)
    app.decorate('serveMetrics', async () => {
      server.listen({ host: metricsHost, port: metricsPort })
      await once(server, 'listening')
      const { address, family, port } = server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`
    })
    app.addHook('onClose', async () => {
      server.close()
      server.closeAllConnections()
      figures.clear()
    })
  },
  { name: 'metrics', dependencies: ['clock'] },
)
