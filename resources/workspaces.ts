import { isFar, stepOf, type Workspace, withPointers } from '#engine'
import { entities } from '#schemas'
import { examWorkspace } from './exams/examination-workspace.ts'
import { resources, views } from './index.ts'
import { jobServerWorkspace } from './jobs/job-server-workspace.ts'

/** Every list of a workspace can be filtered by the way that leads to the workspace's row. */
function listed(given: readonly Workspace[]): readonly Workspace[] {
  const screens = [...resources, ...views]
  const all = given.map(one => withPointers(one, screens))
  for (const page of all.flatMap(one => one.pages)) {
    const list = 'list' in page && isFar(page.by) ? screens.find(one => one.name === page.list) : undefined
    const step =
      list && 'by' in page ? stepOf(list, page.by, name => entities.find(one => one.name === name)) : undefined
    if (list && step && 'by' in page) Object.assign(list.steps, { [page.by]: step })
  }
  return all
}

/** Every place around one row. Pages get them one by one, from the catalogue. */
export const workspaces = listed([examWorkspace, jobServerWorkspace])
