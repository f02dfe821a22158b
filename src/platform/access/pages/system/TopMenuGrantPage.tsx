import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { callOf } from '#engine'
import { topmenu } from '#resources/system/topmenu'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { grantTopMenu, topMenuGrants, topMenuTree } from '../../contract.ts'
import { GrantCard } from '../GrantCard.tsx'
import { GrantTree } from '../GrantTree.tsx'
import { leaves, withParents } from '../grant-tree.ts'

/** The menus that a top menu leads to, as a tree to tick. */
export default function TopMenuGrantPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const [edited, setEdited] = useState<string[]>()
  const top = useEndpoint(callOf(topmenu, 'detail'), { id })
  const tree = useEndpoint(topMenuTree, {})
  const keys = useEndpoint(topMenuGrants, { topMenuIds: id })
  const grant = useSend(grantTopMenu, { stale: [topMenuGrants] })
  const back = () => go('/system/topmenu')
  if (top.isPending || tree.isPending || keys.isPending) return <PageSkeleton />
  if (!top.data || !tree.data || !keys.data)
    return (
      <NoAnswer error={top.error ?? tree.error ?? keys.error}>
        <Button onClick={back}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  const nodes = tree.data.menu
  const ends = new Set(leaves(nodes))
  const chosen = edited ?? keys.data.menu.filter(key => ends.has(key))
  const save = () =>
    grant.mutateAsync({ topMenuIds: [id], menuIds: withParents(nodes, new Set(chosen)) }).then(
      () => setEdited(undefined),
      () => undefined,
    )
  return (
    <GrantCard
      title={'菜单配置'}
      name={top.data.name ?? ''}
      code={top.data.code ?? ''}
      onBack={back}
      onSave={save}
      isEdited={edited !== undefined}
      isSaving={grant.isPending}
    >
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 12 }}
        title={t('点击该顶部菜单时，左侧只显示勾选的菜单；没有其中任何菜单权限的人看不到该顶部菜单。')}
      />
      <GrantTree nodes={nodes} chosen={chosen} label="查找菜单" onChange={setEdited} />
    </GrantCard>
  )
}
