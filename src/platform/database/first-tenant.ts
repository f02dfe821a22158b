/** Number of the tenant that every installation begins with; its administrators run the installation. It is never taken away. */
export const firstTenant = '000000'
