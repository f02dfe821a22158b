declare module 'virtual:catalogue' {
  import type { Resource, Workspace } from '#engine'
  /** What is known of a resource before its definition is loaded. */
  export type Listed = Pick<Resource, 'name' | 'path' | 'calls' | 'tree' | 'pageSize' | 'code'> & {
    /** Name of its entity. */
    readonly entity: string
    /** The field by which a row of it is called. */
    readonly label: string
    /** Address of its screen. */
    readonly screen: string
    /** Its list asks for the rows of a view. */
    readonly isView: boolean
    /** The named filter that its list opens with. */
    readonly chip: string | null
  }
  export const catalogue: readonly Listed[]
  /** Loads the definition of a resource by its name. */
  export const loaders: Readonly<Record<string, () => Promise<{ default: Resource }>>>
  /** Every workspace: its resource, its address, and what loads it. */
  export const workspaces: readonly {
    readonly name: string
    readonly route: string
    readonly load: () => Promise<{ default: Workspace }>
  }[]
}

declare module 'virtual:resources' {
  import type { Resource } from '#engine'
  /** Every resource, for what is about all of them. */
  export const resources: readonly Resource[]
}

declare module 'virtual:dictionaries' {
  import type { FirstWords } from './fields/first-words.ts'
  /** Every dictionary as it was defined. */
  export const dictionaries: readonly FirstWords[]
}
