import { setImmediate as nextTurn } from 'node:timers/promises'
import fp from 'fastify-plugin'

/** Work that is done when an answer has gone, so that its time does not show in the answer's. */
export interface BehindAnswers {
  /** Begins work that no call waits for. A failure is logged. The server ends only after it. */
  begin(work: () => Promise<void>): void
  /** Waits until everything that was begun has ended. */
  done(): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    behindAnswers: BehindAnswers
  }
}

/** Knows what is done behind answers, and lets the server end only after it. */
export default fp(
  async app => {
    const running = new Set<Promise<void>>()
    const done = async () => {
      // The hooks behind an answer run in the turn in which it ends.
      await nextTurn()
      while (running.size > 0) await Promise.all(running)
    }
    app.decorate('behindAnswers', {
      begin(work) {
        const one: Promise<void> = work()
          .catch(err => app.log.error({ err }, 'work behind an answer failed'))
          .finally(() => running.delete(one))
        running.add(one)
      },
      done,
    })
    app.addHook('onClose', () => app.finish('work behind answers', done()))
  },
  { name: 'behind-answers', dependencies: ['closing'] },
)
