(define (problem strange_4)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_0_bar_7 - location
    loc_bar_minus_1_bar_2 - location
    loc_bar_2_bar_1 - location
    loc_bar_minus_3_bar_7 - location
    Drawer_bar__minus_51_dot_79_bar__minus_08_dot_53 - receptacle
    Shelf_bar__plus_17_dot_65_bar__minus_44_dot_55 - receptacle
    Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin - receptacle
    CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58 - receptacle
    Cabinet_bar__plus_44_dot_10_bar__minus_58_dot_47 - receptacle
    Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96 - receptacle
    Egg_bar__plus_21_dot_45_bar__plus_50_dot_86 - object
    Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24 - object
    Apple - object
    Mug_bar__plus_86_dot_23_bar__plus_13_dot_54 - object
    DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89 - object
    Potato_bar__minus_07_dot_73_bar__plus_81_dot_52 - object
    Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74 - object
    Knife_bar__plus_84_dot_71_bar__plus_60_dot_54 - object
    AppleType - otype
    BowlType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    KnifeType - otype
    MugType - otype
    PotatoType - otype
    CabinetType - rtype
    CounterTopType - rtype
    DrawerType - rtype
    FridgeType - rtype
    ShelfType - rtype
    SinkBasinType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_1_bar_2)
    (canContain CabinetType AppleType)
    (canContain CabinetType CurtainsType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain CabinetType KnifeType)
    (canContain CabinetType MugType)
    (canContain CabinetType PotatoType)
    (canContain CounterTopType AppleType)
    (canContain CounterTopType CurtainsType)
    (canContain CounterTopType DeskLampType)
    (canContain CounterTopType EggType)
    (canContain CounterTopType KnifeType)
    (canContain CounterTopType MugType)
    (canContain CounterTopType PotatoType)
    (canContain DrawerType AppleType)
    (canContain DrawerType BowlType)
    (canContain DrawerType CurtainsType)
    (canContain DrawerType KnifeType)
    (canContain DrawerType PotatoType)
    (canContain FridgeType AppleType)
    (canContain FridgeType BowlType)
    (canContain FridgeType CurtainsType)
    (canContain FridgeType DeskLampType)
    (canContain FridgeType KnifeType)
    (canContain FridgeType MugType)
    (canContain FridgeType PotatoType)
    (canContain ShelfType AppleType)
    (canContain ShelfType BowlType)
    (canContain ShelfType CurtainsType)
    (canContain ShelfType DeskLampType)
    (canContain ShelfType EggType)
    (canContain ShelfType PotatoType)
    (canContain SinkBasinType BowlType)
    (canContain SinkBasinType CurtainsType)
    (canContain SinkBasinType DeskLampType)
    (canContain SinkBasinType EggType)
    (canContain SinkBasinType PotatoType)
    (receptacleType Drawer_bar__minus_51_dot_79_bar__minus_08_dot_53 DrawerType)
    (openable Drawer_bar__minus_51_dot_79_bar__minus_08_dot_53)
    (receptacleAtLocation Shelf_bar__plus_17_dot_65_bar__minus_44_dot_55 loc_bar_minus_3_bar_7)
    (receptacleType Shelf_bar__plus_17_dot_65_bar__minus_44_dot_55 ShelfType)
    (receptacleAtLocation Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin loc_bar_0_bar_7)
    (receptacleType Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin SinkBasinType)
    (opened Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin)
    (receptacleAtLocation CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58 loc_bar_minus_3_bar_7)
    (receptacleType CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58 CounterTopType)
    (openable CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58)
    (receptacleAtLocation Cabinet_bar__plus_44_dot_10_bar__minus_58_dot_47 loc_bar_minus_3_bar_7)
    (receptacleType Cabinet_bar__plus_44_dot_10_bar__minus_58_dot_47 CabinetType)
    (openable Cabinet_bar__plus_44_dot_10_bar__minus_58_dot_47)
    (receptacleAtLocation Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96 loc_bar_2_bar_1)
    (receptacleType Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96 FridgeType)
    (openable Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96)
    (objectType Egg_bar__plus_21_dot_45_bar__plus_50_dot_86 EggType)
    (inReceptacle Egg_bar__plus_21_dot_45_bar__plus_50_dot_86 CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58)
    (objectAtLocation Egg_bar__plus_21_dot_45_bar__plus_50_dot_86 loc_bar_2_bar_1)
    (pickupable Egg_bar__plus_21_dot_45_bar__plus_50_dot_86)
    (cleanable Egg_bar__plus_21_dot_45_bar__plus_50_dot_86)
    (heatable Egg_bar__plus_21_dot_45_bar__plus_50_dot_86)
    (coolable Egg_bar__plus_21_dot_45_bar__plus_50_dot_86)
    (objectType Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24 BowlType)
    (objectAtLocation Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24 loc_bar_minus_3_bar_7)
    (pickupable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (cleanable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (heatable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (coolable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (sliceable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (toggleable Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (isReceptacleObject Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (inReceptacleObject Knife_bar__plus_84_dot_71_bar__plus_60_dot_54 Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (inReceptacleObject Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24 Bowl_bar__plus_80_dot_39_bar__minus_97_dot_24)
    (objectType Apple AppleType)
    (inReceptacle Apple Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin)
    (objectAtLocation Apple loc_bar_0_bar_7)
    (pickupable Apple)
    (cleanable Apple)
    (heatable Apple)
    (coolable Apple)
    (toggleable Apple)
    (objectType Mug_bar__plus_86_dot_23_bar__plus_13_dot_54 MugType)
    (inReceptacle Mug_bar__plus_86_dot_23_bar__plus_13_dot_54 CounterTop_bar__plus_41_dot_46_bar__minus_61_dot_58)
    (inReceptacle Mug_bar__plus_86_dot_23_bar__plus_13_dot_54 Cabinet_bar__plus_44_dot_10_bar__minus_58_dot_47)
    (pickupable Mug_bar__plus_86_dot_23_bar__plus_13_dot_54)
    (cleanable Mug_bar__plus_86_dot_23_bar__plus_13_dot_54)
    (heatable Mug_bar__plus_86_dot_23_bar__plus_13_dot_54)
    (sliceable Mug_bar__plus_86_dot_23_bar__plus_13_dot_54)
    (toggleable Mug_bar__plus_86_dot_23_bar__plus_13_dot_54)
    (objectType DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89 DeskLampType)
    (inReceptacle DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89 Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96)
    (objectAtLocation DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89 loc_bar_minus_1_bar_2)
    (pickupable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (cleanable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (heatable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (coolable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (sliceable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (toggleable DeskLamp_bar__plus_60_dot_76_bar__minus_33_dot_89)
    (objectType Potato_bar__minus_07_dot_73_bar__plus_81_dot_52 PotatoType)
    (inReceptacle Potato_bar__minus_07_dot_73_bar__plus_81_dot_52 Fridge_bar__minus_82_dot_87_bar__plus_64_dot_96)
    (objectAtLocation Potato_bar__minus_07_dot_73_bar__plus_81_dot_52 loc_bar_0_bar_7)
    (pickupable Potato_bar__minus_07_dot_73_bar__plus_81_dot_52)
    (coolable Potato_bar__minus_07_dot_73_bar__plus_81_dot_52)
    (toggleable Potato_bar__minus_07_dot_73_bar__plus_81_dot_52)
    (objectType Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74 CurtainsType)
    (inReceptacle Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74 Sink_bar__minus_05_dot_96_bar__plus_22_dot_07_bar_SinkBasin)
    (objectAtLocation Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74 loc_bar_0_bar_7)
    (pickupable Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74)
    (heatable Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74)
    (coolable Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74)
    (sliceable Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74)
    (toggleable Curtains_bar__plus_05_dot_06_bar__minus_44_dot_74)
    (objectType Knife_bar__plus_84_dot_71_bar__plus_60_dot_54 KnifeType)
    (inReceptacle Knife_bar__plus_84_dot_71_bar__plus_60_dot_54 Drawer_bar__minus_51_dot_79_bar__minus_08_dot_53)
    (pickupable Knife_bar__plus_84_dot_71_bar__plus_60_dot_54)
    (heatable Knife_bar__plus_84_dot_71_bar__plus_60_dot_54)
    (coolable Knife_bar__plus_84_dot_71_bar__plus_60_dot_54)
    (sliceable Knife_bar__plus_84_dot_71_bar__plus_60_dot_54))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o EggType) (receptacleType ?r SinkBasinType)))))))
