import fp from 'fastify-plugin'
import { UserType } from '#schemas/dictionaries'
import { spendMark, spentMarks } from '../../database/used-mark.ts'
import { refuse } from '../../http/server/refusal.ts'
import { passwordPace } from '../../vault/password-threads.ts'
import type { UserRow } from './user-row.ts'
import { type Comer, WaitingRoom } from './waiting-room.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets somebody sign in, or has him wait. It looks at no password and uses nothing up, so that the same call may be sent again
     * with the ticket.
     * @param user whose account was named: staff have places of their own
     * @returns to be called when the sign-in has ended, whatever became of it
     * @throws auth.queued with ticket, people ahead, seconds and when to ask again
     */
    enterSignIn(user: Pick<UserRow, 'userType'> | undefined, comer: Comer): Promise<() => void>
  }
}

/** Decorates the app with the queue of those who sign in with a password. */
export default fp(
  async app => {
    const room = new WaitingRoom({
      key: app.secrets.get('token'),
      ...app.config.signInQueue,
      pace: passwordPace,
      spend: (mark, until) => spendMark(app, mark, until),
      spent: marks => spentMarks(app, marks),
    })
    app.decorate('enterSignIn', async (user, comer) => {
      const line = user && user.userType !== UserType.candidate ? 'staff' : 'others'
      const place = await room.enter(line, comer, app.now())
      if (typeof place === 'function') return place
      const { ticket: queueTicket, ahead, seconds, retryAfter } = place
      throw refuse('auth.queued', { 人数: ahead, 秒: seconds }, { queueTicket, ahead, seconds, retryAfter })
    })
  },
  { name: 'sign-in-queue', dependencies: ['database', 'vault'] },
)
