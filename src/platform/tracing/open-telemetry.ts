import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type DiagLogger,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { faultOf, type Span, type Tracer } from './tracer.ts'

/** Milliseconds that a process which ends waits for the collector. */
const patience = 3000

/** Where traces go, and as what. */
export interface TracingOptions {
  /** Address of the collector, without the path of OTLP. */
  endpoint: string
  /** Told when traces cannot be delivered. */
  warn(text: string): void
}

/**
 * Sends traces to a collector (OTLP over HTTP). Other variables of OpenTelemetry hold as its libraries read them, such as
 * `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export function openTelemetry({ endpoint, warn }: TracingOptions): { tracer: Tracer; close(): Promise<void> } {
  const logger: DiagLogger = { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const own = resourceFromAttributes({ 'service.name': 'juxian' })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint}/`).href }))],
  })
  const spans = provider.getTracer('juxian')
  const propagator = new W3CTraceContextPropagator()
  // Of this program alone: nothing is registered for the whole process.
  const here = new AsyncLocalStorage<Context>()
  const begin = (kind: SpanKind, name: string, context: Context, attributes: Attributes = {}): Span => {
    const span = spans.startSpan(name, { kind, attributes }, context)
    const below = trace.setSpan(context, span)
    return {
      run: work => here.run(below, work),
      tell: more => void span.setAttributes(more),
      end(fault) {
        if (fault) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', fault)
        span.end()
      },
    }
  }
  const tracer: Tracer = {
    isOn: true,
    call: (name, headers) =>
      begin(SpanKind.SERVER, name, propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)),
    async work(name, work) {
      const span = begin(SpanKind.CONSUMER, name, ROOT_CONTEXT)
      try {
        const done = await span.run(work)
        span.end()
        return done
      } catch (error) {
        span.end(faultOf(error))
        throw error
      }
    },
    part(name, attributes) {
      const context = here.getStore()
      return context ? begin(SpanKind.CLIENT, name, context, attributes) : null
    },
  }
  return {
    tracer,
    async close() {
      const late = AbortSignal.timeout(patience)
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise(resolve => late.addEventListener('abort', resolve)),
      ])
    },
  }
}
