import { Alert, Button, Tabs } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { type AnswerOf, type CallOf, callOf } from '#engine'
import { role as roleResource } from '#resources/system/role'
import { shownName } from '../../../screens/fields/shown-name.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { useT } from '../../i18n/i18n.ts'
import { grantRole, grantTree, roleGrants } from '../contract.ts'
import { GrantCard } from './GrantCard.tsx'
import { GrantTree } from './GrantTree.tsx'
import { leaves, withParents } from './grant-tree.ts'

const kinds = ['menu', 'dataScope', 'apiScope'] as const
type Kind = (typeof kinds)[number]
type Trees = AnswerOf<typeof grantTree>
type Keys = Omit<AnswerOf<typeof roleGrants>, 'owed'>

/** What each part of a grant is called, and what ticking it means. */
const words: Readonly<Record<Kind, { title: string; hint: string; label: string }>> = {
  menu: {
    title: '菜单与按钮',
    hint: '未勾选的菜单和按钮，该角色的人看不到，服务器也会拒绝；保存后立即生效。',
    label: '查找菜单或按钮',
  },
  dataScope: {
    title: '数据权限',
    hint: '勾选后，该角色的人只能看到规则之内的数据；同一数据有多条规则时，符合任意一条即可见。不勾选则不作限制。',
    label: '查找数据权限',
  },
  apiScope: {
    title: '接口权限',
    hint: '已登记的接口只有被勾选的角色可以调用，超级管理员不受限制；未登记的接口按按钮权限判断。',
    label: '查找接口权限',
  },
}

interface Grant {
  role: AnswerOf<CallOf<typeof roleResource, 'detail'>>
  trees: Trees
  /** Ids of the ticked ends of each tree, as they are stored. */
  stored: Keys
  /** Names of what a newer version gives the role and nobody has decided on. */
  owed: readonly string[]
  onBack: () => void
  save: (chosen: Keys) => Promise<unknown>
  isSaving: boolean
}

function RoleGrant({ role, trees, stored, owed, onBack, save, isSaving }: Grant) {
  const t = useT()
  const [edited, setEdited] = useState<Partial<Keys>>({})
  const chosen: Keys = { ...stored, ...edited }
  const keep = () =>
    save(chosen).then(
      () => setEdited({}),
      () => undefined,
    )
  const items = kinds.map(kind => ({
    key: kind,
    label: `${t(words[kind].title)} (${chosen[kind].length})`,
    children: (
      <>
        <Alert type="info" showIcon style={{ marginBottom: 12 }} title={t(words[kind].hint)} />
        <GrantTree
          nodes={trees[kind]}
          chosen={chosen[kind]}
          label={words[kind].label}
          onChange={now => setEdited(before => ({ ...before, [kind]: now }))}
        />
      </>
    ),
  }))
  return (
    <GrantCard
      title={'权限设置'}
      name={shownName('role', role.roleName ?? '')}
      code={role.roleAlias ?? ''}
      onBack={onBack}
      isSaving={isSaving}
      isEdited={Object.keys(edited).length > 0 || owed.length > 0}
      onSave={keep}
    >
      {owed.length > 0 && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 12 }}
          title={t('新版本为该角色增加了权限，请勾选需要的后保存；保存后不再提示。')}
          description={owed.join('、')}
        />
      )}
      <Tabs items={items} />
    </GrantCard>
  )
}

/** Menus, buttons and scopes of one role as trees to tick; what the caller does not have is not there to give. */
export default function GrantPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const role = useEndpoint(callOf(roleResource, 'detail'), { id })
  const trees = useEndpoint(grantTree, {})
  const keys = useEndpoint(roleGrants, { roleIds: id })
  const grant = useSend(grantRole, { stale: [roleGrants] })
  const back = () => go('/system/role')
  if (trees.isPending || keys.isPending || role.isPending) return <PageSkeleton />
  if (!trees.data || !keys.data || !role.data)
    return (
      <NoAnswer error={trees.error ?? keys.error ?? role.error}>
        <Button onClick={back}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  const all = trees.data
  const endsOf = (kind: Kind) => {
    const ends = new Set(leaves(all[kind]))
    return keys.data[kind].filter(key => ends.has(key))
  }
  const save = (chosen: Keys) =>
    grant.mutateAsync({
      roleIds: [id],
      menuIds: withParents(all.menu, new Set(chosen.menu)),
      dataScopeIds: chosen.dataScope,
      apiScopeIds: chosen.apiScope,
    })
  const stored = { menu: endsOf('menu'), dataScope: endsOf('dataScope'), apiScope: endsOf('apiScope') }
  return (
    <RoleGrant
      role={role.data}
      trees={all}
      stored={stored}
      owed={keys.data.owed}
      onBack={back}
      save={save}
      isSaving={grant.isPending}
    />
  )
}
