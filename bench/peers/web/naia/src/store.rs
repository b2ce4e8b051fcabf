//! The entities and components of one end, as naia reads and writes them.

use std::{any::Any, collections::HashMap};

use naia_shared::{
    ComponentFieldUpdate, ComponentKind, ComponentKinds, ComponentUpdate, EntityAndGlobalEntityConverter, GlobalWorldManagerType,
    LocalEntityAndGlobalEntityConverter, ReplicaDynMutWrapper, ReplicaDynRefWrapper, ReplicaMutTrait, ReplicaMutWrapper, ReplicaRefTrait,
    ReplicaRefWrapper, Replicate, SerdeErr, WorldMutType, WorldRefType,
};

pub type Entity = u32;

#[derive(Default)]
pub struct Store {
    next: Entity,
    rows: HashMap<Entity, HashMap<ComponentKind, Box<dyn Replicate>>>,
}

impl Store {
    pub fn read(&self) -> Read<'_> {
        Read(self)
    }

    pub fn write(&mut self) -> Write<'_> {
        Write(self)
    }

    /// The components of a type, of all entities that have one.
    pub fn all<R: Replicate>(&self) -> impl Iterator<Item = &R> {
        self.rows.values().filter_map(|row| row.get(&ComponentKind::of::<R>())?.to_any().downcast_ref::<R>())
    }

    fn get<R: Replicate>(&self, entity: &Entity) -> Option<&R> {
        self.rows.get(entity)?.get(&ComponentKind::of::<R>())?.to_any().downcast_ref::<R>()
    }

    fn get_dyn(&self, entity: &Entity, kind: &ComponentKind) -> Option<ReplicaDynRefWrapper<'_>> {
        Some(ReplicaDynRefWrapper::new(self.rows.get(entity)?.get(kind)?.dyn_ref()))
    }

    fn get_dyn_mut(&mut self, entity: &Entity, kind: &ComponentKind) -> Option<ReplicaDynMutWrapper<'_>> {
        Some(ReplicaDynMutWrapper::new(self.rows.get_mut(entity)?.get_mut(kind)?.dyn_mut()))
    }
}

struct Shared<'a, R>(&'a R);
struct Exclusive<'a, R>(&'a mut R);

impl<R: Replicate> ReplicaRefTrait<R> for Shared<'_, R> {
    fn to_ref(&self) -> &R {
        self.0
    }
}

impl<R: Replicate> ReplicaRefTrait<R> for Exclusive<'_, R> {
    fn to_ref(&self) -> &R {
        self.0
    }
}

impl<R: Replicate> ReplicaMutTrait<R> for Exclusive<'_, R> {
    fn to_mut(&mut self) -> &mut R {
        self.0
    }
}

pub struct Read<'a>(&'a Store);
pub struct Write<'a>(&'a mut Store);

macro_rules! reads {
    ($type:ident) => {
        impl WorldRefType<Entity> for $type<'_> {
            fn has_entity(&self, entity: &Entity) -> bool {
                self.0.rows.contains_key(entity)
            }

            fn entities(&self) -> Vec<Entity> {
                self.0.rows.keys().copied().collect()
            }

            fn has_component<R: Replicate>(&self, entity: &Entity) -> bool {
                self.0.get::<R>(entity).is_some()
            }

            fn has_component_of_kind(&self, entity: &Entity, kind: &ComponentKind) -> bool {
                self.0.rows.get(entity).is_some_and(|row| row.contains_key(kind))
            }

            fn component<'a, R: Replicate>(&'a self, entity: &Entity) -> Option<ReplicaRefWrapper<'a, R>> {
                self.0.get(entity).map(|r| ReplicaRefWrapper::new(Shared(r)))
            }

            fn component_of_kind<'a>(&'a self, entity: &Entity, kind: &ComponentKind) -> Option<ReplicaDynRefWrapper<'a>> {
                self.0.get_dyn(entity, kind)
            }
        }
    };
}

reads!(Read);
reads!(Write);

impl WorldMutType<Entity> for Write<'_> {
    fn spawn_entity(&mut self) -> Entity {
        self.0.next += 1;
        self.0.rows.insert(self.0.next, HashMap::new());
        self.0.next
    }

    fn despawn_entity(&mut self, entity: &Entity) {
        self.0.rows.remove(entity);
    }

    fn component_kinds(&mut self, entity: &Entity) -> Vec<ComponentKind> {
        self.0.rows.get(entity).map(|row| row.keys().copied().collect()).unwrap_or_default()
    }

    fn component_mut<'a, R: Replicate>(&'a mut self, entity: &Entity) -> Option<ReplicaMutWrapper<'a, R>> {
        let r = self.0.rows.get_mut(entity)?.get_mut(&ComponentKind::of::<R>())?.to_any_mut().downcast_mut::<R>()?;
        Some(ReplicaMutWrapper::new(Exclusive(r)))
    }

    fn component_mut_of_kind<'a>(&'a mut self, entity: &Entity, kind: &ComponentKind) -> Option<ReplicaDynMutWrapper<'a>> {
        self.0.get_dyn_mut(entity, kind)
    }

    fn component_apply_update(
        &mut self, converter: &dyn LocalEntityAndGlobalEntityConverter, entity: &Entity, kind: &ComponentKind, update: ComponentUpdate,
    ) -> Result<(), SerdeErr> {
        match self.0.get_dyn_mut(entity, kind) {
            Some(mut c) => c.read_apply_update(converter, update),
            None => Ok(()),
        }
    }

    fn component_apply_field_update(
        &mut self, converter: &dyn LocalEntityAndGlobalEntityConverter, entity: &Entity, kind: &ComponentKind, update: ComponentFieldUpdate,
    ) -> Result<(), SerdeErr> {
        match self.0.get_dyn_mut(entity, kind) {
            Some(mut c) => c.read_apply_field_update(converter, update).map(|_| ()),
            None => Ok(()),
        }
    }

    fn insert_component<R: Replicate>(&mut self, entity: &Entity, component: R) {
        self.insert_boxed_component(entity, Box::new(component));
    }

    fn insert_boxed_component(&mut self, entity: &Entity, component: Box<dyn Replicate>) {
        if let Some(row) = self.0.rows.get_mut(entity) {
            row.insert(component.kind(), component);
        }
    }

    fn remove_component<R: Replicate>(&mut self, entity: &Entity) -> Option<R> {
        let boxed = self.remove_component_of_kind(entity, &ComponentKind::of::<R>())?;
        Box::<dyn Any>::downcast::<R>(boxed.to_boxed_any()).ok().map(|r| *r)
    }

    fn remove_component_of_kind(&mut self, entity: &Entity, kind: &ComponentKind) -> Option<Box<dyn Replicate>> {
        self.0.rows.get_mut(entity)?.remove(kind)
    }

    // What follows is for entities that clients own, of which this program has none.

    fn local_duplicate_entity(&mut self, _: &Entity) -> Entity {
        unreachable!("no entity is duplicated")
    }

    fn local_duplicate_components(&mut self, _: &Entity, _: &Entity) {}

    fn mirror_entities(&mut self, _: &Entity, _: &Entity) {}

    fn mirror_components(&mut self, _: &Entity, _: &Entity, _: &ComponentKind) {}

    fn entity_publish(&mut self, _: &ComponentKinds, _: &dyn EntityAndGlobalEntityConverter<Entity>, _: &dyn GlobalWorldManagerType, _: &Entity) {}

    fn component_publish(
        &mut self, _: &ComponentKinds, _: &dyn EntityAndGlobalEntityConverter<Entity>, _: &dyn GlobalWorldManagerType, _: &Entity, _: &ComponentKind,
    ) {
    }

    fn entity_unpublish(&mut self, _: &Entity) {}

    fn component_unpublish(&mut self, _: &Entity, _: &ComponentKind) {}

    fn entity_enable_delegation(
        &mut self, _: &ComponentKinds, _: &dyn EntityAndGlobalEntityConverter<Entity>, _: &dyn GlobalWorldManagerType, _: &Entity,
    ) {
    }

    fn component_enable_delegation(
        &mut self, _: &ComponentKinds, _: &dyn EntityAndGlobalEntityConverter<Entity>, _: &dyn GlobalWorldManagerType, _: &Entity, _: &ComponentKind,
    ) {
    }

    fn entity_disable_delegation(&mut self, _: &Entity) {}

    fn component_disable_delegation(&mut self, _: &Entity, _: &ComponentKind) {}
}
