import { resource } from '#engine'
import { Client } from '../../schemas/system/client.ts'

export const client = resource(Client, {
  path: '/blade-system/client',
  route: '/system/client',
  calls: { list: 'GET list' },
  columns: ['clientId', 'scope', 'authorizedGrantTypes', 'accessTokenValidity', 'refreshTokenValidity', 'clientStatus'],
  search: ['clientId', 'createTime'],
  filters: ['scope', 'authorizedGrantTypes', 'webServerRedirectUri', 'clientStatus'],
})
