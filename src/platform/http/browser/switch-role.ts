import { askNewToken, oneTab, type Renewal } from './http.ts'

/** Takes on another department and role of the same person. False when the server refuses. */
export function switchRole(deptId: string, roleId: string): Promise<boolean> {
  const ask = (): Promise<Renewal> => askNewToken({ dept_id: deptId, role_id: roleId })
  return oneTab('juxian-refresh', async () => {
    const first = await ask()
    // Another tab has renewed the token meanwhile, as the person was before: asked again with the new one.
    return (first === 'other' ? await ask() : first) === 'kept'
  })
}
