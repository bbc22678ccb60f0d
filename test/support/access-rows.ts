import type { CalledRow } from './access-answers.ts';

/*
 * Who may call what, written by hand: one row per procedure. access-table.test.ts calls every procedure with every kind of
 * caller and compares the answers with this table. It never reads the metadata of a procedure, because the guards read it too: a guard that somebody weakens would weaken the expectation with it.
 *
 * client     whose Authorization header opens the procedure: one scope, `any scope` of a company's client, `anyone`,
 *            `driver`, `upload` for the capability of one registration, or `recipient` for the token of one link's recipient. A link
 *            is found by a valid request only, so an invalid one is refused alike: see recipients-access.test.ts for valid ones
 * session    what a person's session needs: `member` is any role, `owner` the role OWNER, `owner+` also a second factor
 *            that was proved at most ten minutes ago. `tRPC` opens the procedure to any role, and `tRPC+` to what `owner+`
 *            opens it to, but neither opens its REST path, except to a cookie from a page of a sandbox itself. `operator` needs the role OPERATOR and a second factor, which
 *            `operator+` needs to have been proved at most ten minutes ago. `everyone` is any session, also an operator's.
 * where      the deployments that have it: `all`, or `sandbox` for the local and the sandbox deployment
 */
const TABLE = `
procedure                              client           session   where    REST
shipments.create                       shipments:write  tRPC      all      POST /v2/external/shipments
shipments.list                         shipments:read   tRPC      all      GET /v2/external/shipments
shipments.get                          shipments:read   tRPC      all      GET /v2/external/shipments/{id}
shipments.waybill                      shipments:read   member    all      GET /v2/external/shipments/{id}/waybill
waybills.print                         shipments:read   member    all      GET /v2/external/waybills
shipments.cancel                       shipments:write  tRPC      all      POST /v2/external/shipments/{id}/cancellations
shipments.previewCancellation          shipments:read   tRPC      all      GET /v2/external/shipments/{id}/cancellation-preview
shipments.retryDispatch                shipments:write  tRPC      all      POST /v2/external/shipments/{id}/dispatch-retries
shipments.charges                      shipments:read   tRPC      all      GET /v2/external/shipments/{id}/charges
shipments.dispatch                     shipments:read   tRPC      all      GET /v2/external/shipments/{id}/dispatch
shipments.tracking                     shipments:read   tRPC      all      GET /v2/external/shipments/{id}/tracking
shipments.timeline                     shipments:read   tRPC      all      GET /v2/external/shipments/{id}/timeline
shipmentValidations.create             shipments:read   tRPC      all      POST /v2/external/shipment-validations
shipmentBatches.create                 shipments:write  tRPC      all      POST /v2/external/shipment-batches
shipmentBatches.get                    shipments:read   tRPC      all      GET /v2/external/shipment-batches/{id}
shipmentBatches.listItems              shipments:read   tRPC      all      GET /v2/external/shipment-batches/{id}/items
shipmentMetadata.get                   shipments:read   tRPC      all      GET /v2/external/shipments/{id}/metadata
shipmentMetadata.replace               shipments:write  tRPC      all      PUT /v2/external/shipments/{id}/metadata
nationalAddresses.get                  shipments:read   tRPC      all      GET /v2/external/shipments/{id}/national-address
nationalAddresses.replace              shipments:write  tRPC      all      PUT /v2/external/shipments/{id}/national-address
shipmentAmendments.preview             shipments:read   tRPC      all      POST /v2/external/shipments/{id}/amendment-previews
shipmentAmendments.create              shipments:write  tRPC      all      POST /v2/external/shipments/{id}/amendments
shipmentAmendments.decide              shipments:write  tRPC      all      POST /v2/external/shipments/{id}/amendments/{id}/decisions
shipmentAmendments.list                shipments:read   tRPC      all      GET /v2/external/shipments/{id}/amendments
deliveryWindows.get                    shipments:read   tRPC      all      GET /v2/external/shipments/{id}/delivery-windows
codCollections.get                     shipments:read   tRPC      all      GET /v2/external/shipments/{id}/cod
codCollections.list                    finance:read     tRPC      all      GET /v2/external/cod-collections
statements.get                         finance:read     tRPC      all      GET /v2/external/statements/{id}
statements.prices                      -                member    all      -
companies.setVatNumber                 -                owner+    all      -
cases.create                           shipments:write  tRPC      all      POST /v2/external/shipments/{id}/cases
cases.list                             shipments:read   tRPC      all      GET /v2/external/cases
cases.get                              shipments:read   tRPC      all      GET /v2/external/cases/{id}
cases.addMessage                       shipments:write  tRPC      all      POST /v2/external/cases/{id}/messages
cases.decide                           shipments:write  tRPC      all      POST /v2/external/cases/{id}/decisions
cases.createAsRecipient                recipient        -         all      POST /v2/public/tracking/{id}/cases
cases.listAsRecipient                  recipient        -         all      GET /v2/public/tracking/{id}/cases
cases.withdrawAsRecipient              recipient        -         all      POST /v2/public/tracking/{id}/cases/{id}/withdrawals
proofs.upload                          driver           -         all      POST /v2/driver/shipments/{id}/proof-media
proofs.get                             shipments:read   tRPC      all      GET /v2/external/shipments/{id}/proof
proofs.readMedia                       shipments:read   member    all      GET /v2/external/shipments/{id}/proof/media/{id}
proofs.print                           shipments:read   member    all      GET /v2/external/shipments/{id}/proof/document
proofs.resendPin                       shipments:write  tRPC      all      POST /v2/external/shipments/{id}/proof/pin-resends
resolutions.get                        shipments:read   tRPC      all      GET /v2/external/shipments/{id}/resolution
resolutions.choose                     shipments:write  tRPC      all      POST /v2/external/shipments/{id}/resolutions
resolutions.recall                     shipments:write  tRPC      all      POST /v2/external/shipments/{id}/recalls
resolutions.returnItems                shipments:write  tRPC      all      POST /v2/external/shipments/{id}/returns
resolutions.relations                  shipments:read   tRPC      all      GET /v2/external/shipments/{id}/relations
mediaAssets.create                     shipments:write  tRPC      all      POST /v2/external/media-assets
mediaAssets.list                       shipments:read   tRPC      all      GET /v2/external/media-assets
mediaAssets.read                       shipments:read   tRPC      all      GET /v2/external/media-assets/{id}/content
mediaAssets.delete                     shipments:write  tRPC      all      DELETE /v2/external/media-assets/{id}
trackingLinks.create                   shipments:write  tRPC      all      POST /v2/external/shipments/{id}/tracking-links
trackingLinks.list                     shipments:read   tRPC      all      GET /v2/external/shipments/{id}/tracking-links
trackingLinks.get                      shipments:read   tRPC      all      GET /v2/external/shipments/{id}/tracking-links/{id}
trackingLinks.getUrl                   shipments:write  tRPC      all      GET /v2/external/shipments/{id}/tracking-links/{id}/url
trackingLinks.revoke                   shipments:write  tRPC      all      DELETE /v2/external/shipments/{id}/tracking-links/{id}
trackingLinks.follow                   anyone           -         all      GET /v2/public/tracking/{id}
recipients.startSignIn                 anyone           -         all      POST /v2/public/tracking/{id}/sign-ins
recipients.verifySignIn                anyone           -         all      POST /v2/public/tracking/{id}/sign-ins/{id}/verifications
recipients.getDelivery                 recipient        -         all      GET /v2/public/tracking/{id}/delivery
recipients.changeDelivery              recipient        -         all      PATCH /v2/public/tracking/{id}/delivery
recipients.refuse                      recipient        -         all      POST /v2/public/tracking/{id}/refusals
recipients.askReturn                   recipient        -         all      POST /v2/public/tracking/{id}/return-requests
recipients.rejectReturn                shipments:write  tRPC      all      POST /v2/external/shipments/{id}/return-request/rejections
recipients.getReply                    shipments:read   tRPC      all      GET /v2/external/shipments/{id}/recipient-reply
recipients.findKnown                   -                member    all      -
recipients.getSettings                 -                member    all      -
recipients.setSettings                 -                owner+    all      -
trackingBrand.get                      -                member    all      -
trackingBrand.setContact               -                owner+    all      -
trackingBrand.setLogo                  -                owner+    all      -
priceEstimates.create                  shipments:read   tRPC      all      POST /v2/external/shipment-price-estimates
priceLocks.create                      shipments:read   tRPC      all      POST /v2/external/price-locks
nationalAddresses.lookUp               shipments:read   tRPC      all      POST /v2/external/national-address-lookups
nationalAddresses.suggest              shipments:read   tRPC      all      POST /v2/external/address-suggestions
branches.list                          shipments:read   member    all      GET /v2/external/branches
branches.create                        -                member    all      -
branches.update                        -                member    all      -
branches.deactivate                    -                member    all      -
branches.activate                      -                member    all      -
pickupLocations.list                   shipments:read   member    all      GET /v2/external/pickup-locations
pickupLocations.create                 -                member    all      -
pickupLocations.update                 -                member    all      -
pickupLocations.deactivate             -                member    all      -
pickupLocations.activate               -                member    all      -
cities.list                            shipments:read   member    all      GET /v2/external/cities
capabilities.list                      shipments:read   member    all      GET /v2/external/capabilities
driver.startSession                    anyone           -         all      POST /v2/driver/sessions
driver.verifySession                   anyone           -         all      POST /v2/driver/sessions/{id}/verifications
driver.signOut                         driver           -         all      DELETE /v2/driver/sessions/current
driver.getStanding                     driver           -         all      GET /v2/driver/me
driver.setDuty                         driver           -         all      PUT /v2/driver/duty
driver.reportPosition                  driver           -         all      POST /v2/driver/positions
driver.listOffers                      driver           -         all      GET /v2/driver/offers
driver.listShipments                   driver           -         all      GET /v2/driver/shipments
driver.act                             driver           -         all      POST /v2/driver/shipments/{id}/actions
driver.attemptAgain                    driver           -         all      POST /v2/driver/shipments/{id}/attempts
registrations.create                   anyone           -         all      POST /v2/merchant-registrations
registrations.uploadDocument           upload           -         all      PUT /v2/account-registrations/{id}/documents/{id}
registrations.requestVerification      anyone           -         all      POST /v2/account-registrations/{id}/verification-requests
registrations.verify                   anyone           -         all      POST /v2/account-registrations/{id}/verifications
sessions.startSignIn                   anyone           -         all      POST /v2/company-authentication/sign-ins
sessions.verifySignIn                  anyone           -         all      POST /v2/company-authentication/sign-ins/{id}/verifications
sessions.startAcceptance               anyone           -         all      -
sessions.verifyAcceptance              anyone           -         all      -
sessions.enterRegistration             anyone           -         all      -
sessions.stopRecovery                  anyone           -         all      -
sessions.current                       -                everyone  all      GET /v2/company-authentication/sessions/current
sessions.signOut                       -                everyone  all      DELETE /v2/company-authentication/sessions/current
sessions.startElevation                -                everyone  all      POST /v2/company-authentication/assurance-elevations
sessions.verifyElevation               -                everyone  all      POST /v2/company-authentication/assurance-elevations/{id}/verifications
sessions.list                          -                everyone  all      -
sessions.end                           -                everyone  all      -
people.list                            -                owner     all      -
people.signIns                         -                owner     all      -
people.add                             -                owner+    all      -
people.invite                          -                owner+    all      -
people.changeRole                      -                owner+    all      -
people.endSession                      -                owner+    all      -
people.remove                          -                owner+    all      -
people.startIdentifierChange           -                everyone  all      -
people.changeIdentifier                -                everyone  all      -
people.recovery                        -                everyone  all      -
people.stopRecovery                    -                everyone  all      -
audit.list                             -                owner     all      -
merchantApiCredential.create           -                owner+    all      POST /v2/merchant-api-credential
merchantApiCredential.get              -                owner+    all      GET /v2/merchant-api-credential
merchantApiCredential.standing         -                member    all      -
merchantApiCredential.rotate           -                owner+    all      POST /v2/merchant-api-credential/rotations
merchantApiCredential.setScopes        -                owner+    all      PUT /v2/merchant-api-credential/scopes
merchantApiCredential.delete           -                owner+    all      DELETE /v2/merchant-api-credential
events.list                            shipments:read   tRPC      all      GET /v2/external/events
resolutions.undecided                  -                member    all      -
activity.read                          -                member    all      -
activity.list                          -                member    all      -
activity.shipments                     -                member    all      -
activity.details                       -                member    all      -
streets.read                           -                member    all      -
webhookEndpoints.create                webhooks:manage  tRPC+     all      POST /v2/external/webhook-endpoints
webhookEndpoints.list                  webhooks:manage  tRPC      all      GET /v2/external/webhook-endpoints
webhookEndpoints.get                   webhooks:manage  tRPC      all      GET /v2/external/webhook-endpoints/{id}
webhookEndpoints.update                webhooks:manage  tRPC+     all      PATCH /v2/external/webhook-endpoints/{id}
webhookEndpoints.delete                webhooks:manage  tRPC+     all      DELETE /v2/external/webhook-endpoints/{id}
webhookEndpoints.rotateSecret          webhooks:manage  tRPC+     all      POST /v2/external/webhook-endpoints/{id}/secret-rotations
webhookEndpoints.sendTestEvent         webhooks:manage  tRPC      all      POST /v2/external/webhook-endpoints/{id}/test-events
webhookEndpoints.replay                webhooks:manage  tRPC      all      POST /v2/external/webhook-endpoints/{id}/replays
webhookEndpoints.recovery              -                member    all      -
webhookEndpoints.getReplay             webhooks:manage  tRPC      all      GET /v2/external/webhook-endpoints/{id}/replays/{id}
webhookDeliveries.list                 webhooks:manage  tRPC      all      GET /v2/external/webhook-deliveries
webhookDeliveries.listUnsent           -                member    all      -
webhookDeliveries.get                  webhooks:manage  tRPC      all      GET /v2/external/webhook-deliveries/{id}
webhookDeliveries.getAttempt           webhooks:manage  tRPC      all      GET /v2/external/webhook-deliveries/{id}/attempts/{id}
webhookDeliveries.replay               webhooks:manage  tRPC      all      POST /v2/external/webhook-deliveries/{id}/replays
requestLog.list                        logs:read        tRPC      all      GET /v2/external/requests
requestLog.get                         logs:read        tRPC      all      GET /v2/external/requests/{id}
sandbox.bootstrap                      any scope        member    sandbox  POST /v2/external/sandbox/bootstrap
sandbox.readiness                      any scope        member    sandbox  GET /v2/external/sandbox/readiness
sandbox.setDispatchHold                shipments:write  member    sandbox  PUT /v2/external/sandbox/dispatch-hold
sandbox.setDispatchSettings            shipments:write  member    sandbox  PUT /v2/external/sandbox/dispatch-settings
sandbox.reset                          shipments:write  member    sandbox  POST /v2/external/sandbox/resets
sandbox.releaseDispatch                shipments:write  member    sandbox  POST /v2/external/sandbox/shipments/{id}/dispatch-releases
sandbox.readClock                      any scope        member    sandbox  GET /v2/external/sandbox/clock
sandbox.advanceClock                   shipments:write  member    sandbox  POST /v2/external/sandbox/clock/advances
sandbox.startDriverSession             shipments:write  member    sandbox  POST /v2/external/sandbox/driver-sessions
sandbox.verifyDriverSession            shipments:write  member    sandbox  POST /v2/external/sandbox/driver-sessions/{id}/verifications
sandbox.startScenario                  shipments:write  member    sandbox  POST /v2/external/sandbox/shipments/{id}/scenarios
sandbox.setFault                       shipments:write  member    sandbox  POST /v2/external/sandbox/faults
sandbox.clearFaults                    shipments:write  member    sandbox  DELETE /v2/external/sandbox/faults
operations.registrations.list          operations       operator  all      -
operations.registrations.get           operations       operator  all      -
operations.registrations.document      operations       operator  all      -
operations.registrations.approve       operations       operator  all      -
operations.registrations.reject        operations       operator  all      -
operations.cases.list                  operations       operator  all      -
operations.cases.get                   operations       operator  all      -
operations.cases.picture               operations       operator  all      -
operations.cases.answer                operations       operator  all      -
operations.shipments.listQueue         operations       operator  all      -
operations.shipments.search            operations       operator  all      -
operations.shipments.get               operations       operator  all      -
operations.shipments.timeline          operations       operator  all      -
operations.status                      operations       operator  all      -
operations.shipments.reassign          operations       operator  all      -
operations.shipments.takeOver          operations       operator  all      -
operations.shipments.fail              operations       operator  all      -
operations.shipments.cancel            operations       operator  all      -
operations.shipments.overrideAddress   operations       operator  all      -
operations.shipments.releaseProof      operations       operator  all      -
operations.shipments.retryDispatch     operations       operator  all      -
operations.shipments.approve           operations       operator  all      -
operations.tariffs.publish             operations       operator+ all      -
operations.tariffs.withdraw            operations       operator+ all      -
operations.tariffs.list                operations       operator  all      -
operations.tariffs.preview             operations       operator  all      -
operations.serviceLevels.create        operations       operator  all      -
operations.serviceLevels.update        operations       operator  all      -
operations.serviceLevels.list          operations       operator  all      -
operations.drivers.create              operations       operator+ all      -
operations.drivers.update              operations       operator+ all      -
operations.drivers.get                 operations       operator  all      -
operations.drivers.changePhone         operations       operator+ all      -
operations.drivers.endSessions         operations       operator  all      -
operations.drivers.setDuty             operations       operator  all      -
operations.drivers.board               operations       operator  all      -
operations.drivers.list                operations       operator  all      -
operations.people.find                 operations       operator  all      -
operations.people.recover              -                operator+ all      -
operations.people.recoveries           operations       operator  all      -
operations.people.stopRecovery         operations       operator  all      -
operations.identifiers.free            operations       operator+ all      -
operations.credentials.list            operations       operator  all      -
operations.credentials.create          -                operator+ all      -
operations.credentials.revoke          -                operator+ all      -
operations.audit.list                  operations       operator  all      -
operations.companies.list              operations       operator  all      -
operations.companies.get               operations       operator  all      -
operations.companies.suspend           operations       operator+ all      -
operations.companies.resume            operations       operator+ all      -
operations.companies.setApprovalPolicy operations       operator  all      -
operations.companies.setAddressPolicy  operations       operator  all      -
operations.companies.setProofTerms     operations       operator  all      -
`;

export interface Row extends CalledRow {
  readonly client: string;
  readonly session: string;
  readonly where: string;
}
export const ROWS: readonly Row[] = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, name = '', client = '', session = '', where = '', method = '', path = ''] =
      /^(\S+) +(\S+(?: scope)?) +(\S+) +(\S+) +(\S+) ?(\S*)$/.exec(line) ?? [];
    return { name, client, session, where, rest: path === '' ? undefined : { method, path } };
  });
