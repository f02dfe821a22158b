import type { Entity, Resource } from '#engine'
import type { Values } from '../../../crud/input.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Stored } from '../rules/run/state.ts'

/** An entity that may be the form of a process: its row is what the process is about. */
export interface FlowForm {
  /** As models call it (`formKey`), and as pages know it. */
  readonly key: string
  readonly entity: Entity
  readonly resource: Resource
  /** Table of its rows; it has a column `processInstanceId`. */
  readonly table: string
  /** Key of dictionary `flow` that its processes must have; any by default. */
  readonly category?: number
  /** Whether who began a process of it may not decide on it. */
  readonly forbidsOwn: boolean
  /** Values the program fills in beside what somebody has. */
  readonly filled?: (now: Date) => Values
  /** What the process decides by; amounts as decimal texts. */
  readonly facts: (row: Values) => Stored
  /** What pages show beside the row, such as names of people. */
  readonly shown?: (db: Live, row: Values) => Promise<Values>
}

/** What is submitted of a form; a leave keeps which process it was asked for with. */
export const formBody = ({ entity }: FlowForm, deploymentId: string, body: unknown): Values => ({
  ...(body as Values),
  ...('processDefinitionId' in entity.properties && { processDefinitionId: deploymentId }),
})
