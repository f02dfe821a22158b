import { Refused, type State } from './state.ts'

type Body = Readonly<Record<string, unknown>>

/** Calls about runs. */
export const instanceCalls = (state: State, version: 4 | 5): Readonly<Record<string, (body: Body) => unknown>> => {
  const find = ({ instanceId }: Body) => {
    const run = state.instances.get(BigInt(String(instanceId)))
    if (!run) throw new Refused(`IllegalArgumentException: can't find instance by instanceId: ${String(instanceId)}`)
    return run
  }
  const list = ({ appIdEq, gmtModifiedGt, index = 0, pageSize = 10 }: Body) => {
    const found = [...state.instances.values()]
      .filter(run => appIdEq === undefined || run.appId === Number(appIdEq))
      .filter(run => gmtModifiedGt === undefined || run.gmtModified > Number(gmtModifiedGt))
    const [page, size] = [Number(index), Number(pageSize)]
    return {
      index: page,
      pageSize: size,
      totalPages: Math.ceil(found.length / size),
      totalItems: found.length,
      data: found.slice(page * size, (page + 1) * size).map(run => state.dated(run)),
    }
  }
  return {
    runJob: ({ jobId, instanceParams }) => state.begin(Number(jobId), (instanceParams as string | undefined) ?? null),
    fetchInstanceInfo: body => state.dated(find(body)),
    fetchInstanceStatus: body => find(body).status,
    // Version 4.3.9 takes an abstract body here, which nobody can send.
    ...(version === 5 && { queryInstance: list }),
  }
}
