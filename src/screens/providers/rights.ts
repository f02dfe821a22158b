import { useSyncExternalStore } from 'react'
import type { AnswerOf } from '#engine'
import { call } from '../../platform/http/browser/call.ts'
import { session } from '../../platform/http/browser/session.ts'
import { menuButtons, menuRoutes } from '../contract.ts'

type Answered = AnswerOf<typeof menuRoutes>[number]

/**
 * What is read of a node of the menu or of the buttons. `path` is that of the page, an address elsewhere, or empty for a group;
 * `source` is an icon by its name; 2 as `isOpen` opens a window of its own.
 */
export interface MenuNode
  extends Pick<Answered, 'id' | 'name' | 'path' | 'source' | 'code'>,
    Partial<Pick<Answered, 'isOpen' | 'meta'>> {
  children?: MenuNode[]
}

/** What the person may see and do. */
export interface Rights {
  routes: MenuNode[]
  /** Paths of the tree, each with its name. */
  names: ReadonlyMap<string, string>
  /** The same paths without what they are asked with. */
  paths: ReadonlySet<string>
  /** Leaf codes of the buttons call. */
  permissions: Record<string, true>
}

/** Pages below a listed path belong to it: `/exam/examination/12` to `/exam/examination`. */
export function isListed(paths: ReadonlySet<string>, path: string): boolean {
  for (let part = path; part.length > 1; part = part.slice(0, part.lastIndexOf('/'))) if (paths.has(part)) return true
  return false
}

/** Every node of a tree, parents first. */
export function flatten(nodes: readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap(node => [node, ...flatten(node.children ?? [])])
}

/** The tree without what is reserved to other roles (`meta.roles`). */
export function visible(nodes: readonly MenuNode[], roles: readonly string[]): MenuNode[] {
  return nodes
    .filter(node => !node.meta?.roles?.length || node.meta.roles.some(role => roles.includes(role)))
    .map(node => (node.children ? { ...node, children: visible(node.children, roles) } : node))
}

/** Leaf codes of the buttons tree as a map of true flags. */
export function permissionMap(nodes: readonly MenuNode[]): Record<string, true> {
  const leaves = flatten(nodes).filter(node => !node.children?.length)
  return Object.fromEntries(leaves.map(node => [node.code, true] as const))
}

/** The menu tree, of one top menu or whole, without what is reserved to other roles. */
export async function fetchRoutes(topMenuId = ''): Promise<MenuNode[]> {
  const tree = await call(menuRoutes, topMenuId ? { topMenuId } : {})
  return visible(tree, session.get()?.role_name.split(',') ?? [])
}

async function ask(): Promise<Rights> {
  const [routes, buttons] = await Promise.all([fetchRoutes(), call(menuButtons, {})])
  const names = new Map(flatten(routes).map(node => [node.path, node.name]))
  const paths = new Set([...names.keys()].map(listed => listed.split('?')[0] ?? ''))
  return { routes, names, paths, permissions: permissionMap(buttons) }
}

/** Where asking for the rights stands. */
export interface Asked {
  rights?: Rights
  failed?: boolean
}

let state: Asked | undefined
const listeners = new Set<() => void>()

function put(next: Asked): void {
  state = next
  for (const listener of listeners) listener()
}

/** Asks what the person may see and do: once per sign-in, and as early as the page knows who it is. */
export function loadRights(): void {
  if (state && !state.failed) return
  put({})
  ask().then(
    rights => put({ rights }),
    () => put({ failed: true }),
  )
}

/** Asks again, after a change of role or a cleared cache; what is known stays in use until the answer is here. */
export async function reloadRights(): Promise<void> {
  put({ rights: await ask() })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const NOTHING: Asked = {}

/** The person's rights: missing while asked for, `failed` when the server could not be reached (`loadRights` tries again). */
export function useRights(): Asked {
  return useSyncExternalStore(subscribe, () => state ?? NOTHING)
}

/** What is known of the rights now, for code outside components. */
export function knownRights(): Rights | undefined {
  return state?.rights
}

/** The permission map: true for every leaf code of the buttons call. */
export function usePermissions(): Record<string, true> {
  return useRights().rights?.permissions ?? NONE
}

const NONE: Record<string, true> = {}

/** True when the person holds the permission code. */
export function useCan(code: string): boolean {
  return usePermissions()[code] === true
}
