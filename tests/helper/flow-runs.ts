import { expect } from 'vitest'
import type { AnswerOf } from '#engine'
import { FlowCategory, FlowRun, FlowTaskState } from '#schemas/dictionaries'
import type { runDetail, runHistory } from '../../src/modules/workflow/contract.ts'
import { readModel } from '../../src/modules/workflow/rules/read-model.ts'
import { TokenState } from '../../src/modules/workflow/rules/run/state.ts'
import { deployModel } from '../../src/modules/workflow/server/flow-deploy.ts'
import { knownNow } from '../../src/modules/workflow/server/known.ts'
import { liveFor } from '../../src/platform/database/live.ts'
import type { TestApp } from './app.ts'
import { bpmn } from './flow-bench.ts'
import { type Caller, signIn } from './person.ts'

type Detail = AnswerOf<typeof runDetail>
type Step = AnswerOf<typeof runHistory>[number]
/** Something that is done with the open task of a step. */
export type Doing = Record<string, unknown>

/** Processes of a test, and people who do something with them. */
export class FlowBench {
  /** Six people who can do tasks: `a` … `f`; `chief` looks after processes. */
  readonly people: Record<string, Caller> = {}

  constructor(readonly t: TestApp) {}

  async open(): Promise<this> {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) this.people[name] = await signIn(this.t, { role: 'reviewer' })
    this.people.chief = await signIn(this.t, { role: 'admin' })
    return this
  }

  who(name: string): Caller {
    const found = this.people[name]
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }

  id = (name: string): string => this.who(name).userId

  name(id: string | null | undefined): string {
    return Object.entries(this.people).find(([, one]) => one.userId === id)?.[0] ?? String(id ?? '')
  }

  /** A text with `@a` … for the ids of people. */
  ids = (text: string): string => text.replace(/@(chief|[a-f])\b/g, (_, name: string) => this.id(name))

  get<T = unknown>(path: string, who: string, on = this.t) {
    return on.call<T>({ url: `/api/blade-flow/${path}`, headers: this.who(who).headers })
  }

  post<T = unknown>(path: string, who: string, payload: object = {}, on = this.t) {
    const { headers } = this.who(who)
    return on.call<T>({ method: 'POST', url: `/api/blade-flow/${path}`, headers, payload })
  }

  /** Deploys a model. @returns its id */
  async deploy(
    key: string,
    inside: string,
    category: (typeof FlowCategory)[keyof typeof FlowCategory] = FlowCategory.business,
  ): Promise<string> {
    return this.deployXml(this.ids(bpmn(key, inside)), category)
  }

  /** Deploys a whole model. @returns its id */
  async deployXml(
    xml: string,
    category: (typeof FlowCategory)[keyof typeof FlowCategory] = FlowCategory.business,
  ): Promise<string> {
    const { db } = this.t
    const live = liveFor(db, { tenantId: '000000', userId: null, now: () => this.t.app.now() })
    return deployModel(live, this.t.app.now(), { ...readModel(xml, await knownNow(db)), xml, category })
  }

  /** Begins a process. @returns the answer, or the id of the run where it has begun */
  start(deployment: string, more: object = {}, who = 'a') {
    return this.post<{ processInstanceId: string }>('process/start-process', who, {
      processDefinitionId: deployment,
      ...more,
    })
  }

  async begin(deployment: string, more: object = {}, who = 'a'): Promise<string> {
    const answer = await this.start(deployment, more, who)
    expect(answer).toMatchObject({ code: 200 })
    return answer.data.processInstanceId
  }

  async detail(run: string, who = 'chief'): Promise<Detail> {
    const answer = await this.get<Detail>(`process/detail?processInstanceId=${run}`, who)
    expect(answer).toMatchObject({ code: 200 })
    return answer.data
  }

  /** Open tasks, `step:person` or `step:?`, with their state where it is not the usual one. */
  async openOf(run: string): Promise<string> {
    const { open } = await this.detail(run)
    return open
      .map(({ activityId, assignee, state }) => {
        const mark = state > FlowTaskState.open ? `(${state})` : ''
        return `${activityId}:${assignee ? this.name(assignee) : '?'}${mark}`
      })
      .toSorted()
      .join(' ')
  }

  /** The open task of a step, `step:person`. */
  async task(run: string, at: string): Promise<string> {
    const [step, who] = at.split(':')
    const { open } = await this.detail(run)
    const found = open.find(
      one => one.activityId === step && (who === undefined || this.name(one.assignee) === (who === '?' ? '' : who)),
    )
    if (!found) throw new Error(`Nothing waits at ${at}: ${await this.openOf(run)}`)
    return found.taskId
  }

  /** Decides on the task `step:person`. */
  async decide(run: string, at: string, pass = true, more: object = {}, on = this.t) {
    const who = at.split(':')[1] ?? 'a'
    const taskId = await this.task(run, at)
    return this.post('work/complete-task', who, { taskId, processInstanceId: run, pass, ...more }, on)
  }

  async agree(run: string, ...steps: string[]): Promise<void> {
    for (const at of steps) expect([at, (await this.decide(run, at)).code]).toEqual([at, 200])
  }

  /** Does something with the task `step:person`, as that person. */
  async do(act: string, run: string, at: string, more: Doing = {}, who = at.split(':')[1] ?? 'a') {
    return this.post(`work/${act}`, who, { taskId: await this.task(run, at), ...more })
  }

  async history(run: string): Promise<Step[]> {
    return (await this.get<Step[]>(`process/history-flow-list?processInstanceId=${run}`, 'chief')).data
  }

  /** Nothing of a run that is over is left behind. */
  async expectOver(run: string, status: (typeof FlowRun)[keyof typeof FlowRun] = FlowRun.finished): Promise<void> {
    const { rows } = await this.t.pool.query(
      `SELECT i.status, (SELECT count(*)::int FROM flow_token k WHERE k."instanceId" = i.id AND k.state < $2) AS tokens,
         (SELECT count(*)::int FROM flow_task k WHERE k."instanceId" = i.id AND k.state < $3) AS tasks,
         (SELECT count(*)::int FROM flow_activity k WHERE k."instanceId" = i.id AND k."endTime" IS NULL) AS steps
       FROM flow_instance i WHERE i.id = $1`,
      [run, TokenState.over, FlowTaskState.done],
    )
    expect(rows).toEqual([{ status, tokens: 0, tasks: 0, steps: 0 }])
  }
}
