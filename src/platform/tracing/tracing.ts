import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { noTracer, type Span } from './tracer.ts'

/** Follows every call from its first byte to the end of its answer, under the pattern of its route. */
function followCalls(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const span = app.tracer.call(`${method} ${route}`, headers)
    span.tell({ 'http.request.method': method, 'http.route': route })
    spans.set(request, span)
    span.run(done)
  })
  // What comes after a body begins with an event of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  app.addHook('onResponse', async (request, { raw: { statusCode } }) => {
    const span = spans.get(request)
    span?.tell({ 'http.response.status_code': statusCode })
    span?.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}

/** Decorates the app with its tracer, which reads OpenTelemetry only where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. */
export default fp(
  async app => {
    const { traceEndpoint } = app.config
    if (!traceEndpoint) {
      app.decorate('tracer', noTracer)
      return
    }
    const { openTelemetry } = await import('./open-telemetry.ts')
    const { tracer, close } = openTelemetry({
      endpoint: traceEndpoint,
      warn: text => app.log.warn({ text }, 'traces were not delivered'),
    })
    app.decorate('tracer', tracer)
    followCalls(app)
    app.addHook('onClose', close)
  },
  { name: 'tracing', dependencies: ['clock'] },
)
